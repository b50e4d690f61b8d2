'use client'
import { useTranslations } from 'use-intl'

const WIDTHS = [
  { who: '34%', first: '92%', second: '70%' },
  { who: '28%', first: '96%', second: '40%' },
  { who: '38%', first: '88%', second: '64%' },
]

/** Placeholders with the height of real rows. */
export function LoadingRows() {
  const t = useTranslations('shell')
  return (
    <div aria-busy className="animate-late">
      <span className="sr-only">{t('loading')}</span>
      {WIDTHS.map((widths) => (
        <div key={widths.who} className="relative h-row overflow-hidden border-b border-line ps-7 pe-3 pt-[7px]">
          {Object.entries(widths).map(([part, width]) => (
            <span key={part} className="my-1 block h-2.5 rounded-[2px] bg-line" style={{ width }} />
          ))}
        </div>
      ))}
    </div>
  )
}
