'use client'
import { EyeOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '#components/ui/button.tsx'
import { useWellness } from './use-wellness.ts'

interface CoveredMediaProps {
  /** The label, such as "1 image". */
  name: string
  /** Its type and size. */
  about?: string
  /** Renders the image or video once it is revealed; `softened` holds the classes to apply. */
  children: (softened: string) => ReactNode
}

/** An image or video hidden until revealed, then grey and blurred until revealed again, according to the person's preferences. */
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
