'use client'
import { EyeOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '#components/ui/button.tsx'
import { useWellness } from './use-wellness.ts'

interface CoveredMediaProps {
  /** What it is: "1 image". */
  name: string
  /** Of which kind and size. */
  about?: string
  /** The picture or film itself, asked for when it is shown; `softened` are the classes it wears. */
  children: (softened: string) => ReactNode
}

/** A picture or film behind a cover until asked for, then grey and blurred until asked again, as the person chose. */
export function CoveredMedia({ name, about, children }: CoveredMediaProps) {
  const t = useTranslations('wellness')
  const { isMediaCovered, isMediaSoftened, softened } = useWellness()
  const [asked, setAsked] = useState<'nothing' | 'softened' | 'plain'>('nothing')

  if (isMediaCovered && asked === 'nothing') {
    return (
      <div className="flex max-w-110 items-center gap-3 rounded-2 border border-line-strong px-3 py-2.5">
        <span className="hatched grid h-12 w-18 shrink-0 place-items-center rounded-1 text-ink-2 forced-color-adjust-none">
          <EyeOff />
        </span>
        <div className="min-w-0 flex-1">
          <p className="font-firm text-ink">{t('covered', { name })}</p>
          <p className="text-small text-ink-3">
            {about} {isMediaSoftened && t('softenedFirst')}
          </p>
        </div>
        <Button onPress={() => setAsked('softened')}>{t('show')}</Button>
      </div>
    )
  }
  const isPlain = asked === 'plain' || !isMediaSoftened
  return (
    <div className="max-w-110">
      <div className="overflow-hidden rounded-2">{children(isPlain ? '' : softened)}</div>
      <div className="mt-1 flex gap-1">
        {!isPlain && (
          <Button size="small" onPress={() => setAsked('plain')}>
            {t('showPlain')}
          </Button>
        )}
        {isMediaCovered && (
          <Button look="bare" size="small" onPress={() => setAsked('nothing')}>
            {t('coverAgain')}
          </Button>
        )}
      </div>
    </div>
  )
}
