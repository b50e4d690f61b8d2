'use client'
import { EyeOff } from 'lucide-react'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { ActKeycap } from '#components/keys/shortcut-keys.tsx'
import { useShortcut } from '#components/keys/use-own-keys.ts'
import { useWellness } from '#components/kit/wellness/use-wellness.ts'
import { Button } from '#components/ui/button.tsx'
import type { File } from '#server/modules/media/files/schema.ts'
import { useDeskActs } from '../acts/desk-acts.ts'

const isFilm = ({ type }: File) => type === 'video' || type === 'clip'
const isSeen = (file: File) => file.type === 'image' || isFilm(file)

const NEXT = { covered: 'cover', veiled: 'show', plain: 'showPlain' } as const

/** Attached files: hidden until revealed, then grey and blurred, then as they are. Nothing is fetched before that. */
export function CoveredFiles({ files }: { files: File[] }) {
  const t = useTranslations('media')
  const format = useFormatter()
  const { level, following, next } = useDeskActs().cover
  const { isMediaSoftened, softened } = useWellness()
  const shortcut = useShortcut('uncover')
  const seen = files.filter(isSeen)
  const others = files.filter((file) => !isSeen(file))

  const films = seen.filter(isFilm).length
  const counted = [
    ...(seen.length > films ? [t('images', { count: seen.length - films })] : []),
    ...(films > 0 ? [t('films', { count: films })] : []),
  ]
  return (
    <div className="mt-3.5 grid max-w-[440px] gap-2">
      {seen.length > 0 && (
        <div className="flex items-center gap-3 rounded-2 border border-line-strong px-3 py-2.5">
          {level === 'covered' && (
            <span className="hatched grid h-12 w-18 shrink-0 place-items-center rounded-1 text-ink-2 forced-colors:border">
              <EyeOff />
            </span>
          )}
          <span className="min-w-0 flex-1">
            <span className="block font-firm text-ink">{t(`levels.${level}`, { what: format.list(counted) })}</span>
            <span className="block text-small text-ink-3">
              {t(`hints.${level}`, { isSoftened: String(isMediaSoftened) })}
            </span>
          </span>
          {following && (
            <Button aria-keyshortcuts={shortcut} onPress={next}>
              {t(NEXT[following])}
              <ActKeycap act="uncover" className="phone:hidden" />
            </Button>
          )}
        </div>
      )}
      {level !== 'covered' &&
        seen.map((file) => <Shown key={file.fileId} file={file} veil={level === 'veiled' ? softened : undefined} />)}
      {others.map((file) => (
        <p key={file.fileId} className="text-small">
          {t(`kinds.${file.type === 'audio' ? 'audio' : 'file'}`)} <FileLink file={file} />
        </p>
      ))}
    </div>
  )
}

function Shown({ file, veil }: { file: File; veil: string | undefined }) {
  const t = useTranslations('media')
  const [hasFailed, setFailed] = useState(false)
  if (hasFailed || file.fileUrl === undefined) {
    return (
      <p className="text-small">
        {t('notShown')} <FileLink file={file} />
      </p>
    )
  }
  const look = `max-h-80 w-full rounded-1 bg-sunken object-contain ${veil ?? ''}`
  const shown = { src: file.fileUrl, onError: () => setFailed(true), className: look }
  return (
    <span className="block overflow-hidden rounded-1">
      {isFilm(file) ? (
        <video {...shown} controls={!veil} preload="metadata" aria-label={file.altText ?? t('film')} />
      ) : (
        // biome-ignore lint/performance/noImgElement: the app hosts the file
        <img {...shown} alt={file.altText ?? t('image')} referrerPolicy="no-referrer" />
      )}
    </span>
  )
}

/** Opens the file's address only on click. */
function FileLink({ file: { fileUrl } }: { file: File }) {
  const t = useTranslations('media')
  const host = URL.parse(fileUrl ?? '')?.host
  if (fileUrl === undefined || host === undefined) return t('noAddress')
  return (
    <a href={fileUrl} target="_blank" rel="noopener noreferrer nofollow" className="wrap-anywhere">
      {t('openAt', { host })}
    </a>
  )
}
