'use client'
import { EyeOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useActs } from '#components/keys/acts-context.tsx'
import { ActKeycap } from '#components/keys/shortcut-keys.tsx'
import { Button } from '#components/ui/button.tsx'
import { useWellness } from './use-wellness.ts'

interface CoveredTextProps {
  isFlagged: boolean
  /** Whether the shortcut reveals this text: the judged item if there are several on a page. */
  isMain?: boolean
  children: ReactNode
}

/** Text by a member, hidden until revealed if the person prefers that. */
export function CoveredText({ isFlagged, isMain = false, children }: CoveredTextProps) {
  const t = useTranslations('wellness')
  const { coversText } = useWellness()
  const [isShown, setShown] = useState(false)
  if (isShown || !coversText({ isFlagged })) return children

  const show = () => setShown(true)
  return (
    <span className="flex max-w-110 items-center gap-3 rounded-2 border border-line-strong px-3 py-2.5 font-desk text-base whitespace-normal">
      {isMain && <ShowKey onShow={show} />}
      <span className="hatched grid h-8 w-14 shrink-0 place-items-center rounded-1 text-ink-2 forced-color-adjust-none">
        <EyeOff />
      </span>
      <span className="min-w-0 flex-1 text-ink">{t(isFlagged ? 'flaggedText' : 'text')}</span>
      <Button onPress={show}>
        {t('showText')}
        {isMain && <ActKeycap act="showText" className="phone:hidden" />}
      </Button>
    </span>
  )
}

function ShowKey({ onShow }: { onShow: () => void }) {
  useActs({ showText: onShow })
  return null
}

/** The beginning of a text in a list: hidden without a button to reveal it. */
export function CoveredLine({ isFlagged, children }: { isFlagged: boolean; children: ReactNode }) {
  const t = useTranslations('wellness')
  const { coversText } = useWellness()
  if (!coversText({ isFlagged })) return children
  return (
    <span className="hatched rounded-1 px-1.5 text-ink-2 forced-color-adjust-none forced-colors:text-[CanvasText]">
      <span className="bg-surface px-1">{t(isFlagged ? 'flaggedText' : 'text')}</span>
    </span>
  )
}
