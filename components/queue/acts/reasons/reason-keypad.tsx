'use client'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { reasonsOptions } from '#components/kit/review/reasons-query.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Keycap } from '#components/ui/keycap.tsx'

/** Only the digits 1 to 9 are keys. */
const WITH_A_KEY = 9

interface ReasonKeypadProps {
  onGive: (digit: number) => void
  onInWords: () => void
}

/** The reasons with their digits. It never takes the focus: the moderator continues, or presses a digit. */
export function ReasonKeypad({ onGive, onInWords }: ReasonKeypadProps) {
  const t = useTranslations('reasons')
  const { data: reasons = [] } = useQuery(reasonsOptions(useTRPC()))

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div role="group" aria-label={t('ofLast')} className="mb-2 border-b border-line pb-1.5">
      <p className="text-small text-ink-3">{t('ask')}</p>
      <ol className="-ms-1.5 mt-0.5 grid grid-cols-2 gap-x-0.5">
        {reasons.slice(0, WITH_A_KEY).map(({ reasonId, label, textToAuthor }, index) => (
          <li key={reasonId} className="min-w-0">
            <Key cap={`${index + 1}`} title={textToAuthor ?? label} onPress={() => onGive(index + 1)}>
              {label}
            </Key>
          </li>
        ))}
        <li className="min-w-0">
          <Key cap="0" onPress={onInWords}>
            {t('inWords')}
          </Key>
        </li>
      </ol>
    </div>
  )
}

interface KeyProps {
  cap: string
  title?: string
  onPress: () => void
  children: string
}

function Key({ cap, title, onPress, children }: KeyProps) {
  return (
    <button
      type="button"
      tabIndex={-1}
      title={title}
      aria-keyshortcuts={cap}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPress}
      className="flex h-[30px] w-full items-center gap-[7px] rounded-2 px-1.5 text-ink hover:bg-hover coarse:h-10"
    >
      <Keycap>{cap}</Keycap>
      <span className="line-clamp-2 text-start text-small leading-[14px]">{children}</span>
    </button>
  )
}
