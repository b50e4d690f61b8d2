'use client'
import { useId } from 'react'
import { useTranslations } from 'use-intl'
import { Keycap } from '#components/ui/keycap.tsx'
import type { RejectionReason } from '#server/modules/network/reasons/schema.ts'

/** Only the digits 1 to 9 are keys. */
const WITH_A_KEY = 9

interface ReasonChoicesProps {
  reasons: RejectionReason[]
  chosen: string | undefined
  onChoose: (reasonId: string) => void
}

/** The reasons as a keypad, as the toast shows them: one is selected by its digit, with arrow keys or by pressing it. */
export function ReasonChoices({ reasons, chosen, onChoose }: ReasonChoicesProps) {
  const t = useTranslations('reasons')
  const name = useId()
  return (
    <fieldset>
      <legend className="mb-1 font-firm text-ink">{t('legend')}</legend>
      <div className="-mx-1.5 grid grid-cols-2 gap-0.5">
        {reasons.map(({ reasonId, label }, index) => (
          <label
            key={reasonId}
            className="relative flex h-[30px] min-w-0 items-center gap-[7px] rounded-2 px-1.5 text-ink hover:bg-hover has-checked:bg-selected has-checked:font-firm has-focus-visible:outline-2 has-focus-visible:outline-focus coarse:h-10 forced-colors:has-checked:outline"
          >
            <input
              type="radio"
              name={name}
              value={reasonId}
              checked={chosen === reasonId}
              onChange={() => onChoose(reasonId)}
              aria-keyshortcuts={index < WITH_A_KEY ? `${index + 1}` : undefined}
              className="absolute inset-0 opacity-0"
            />
            <span className="flex w-5 shrink-0 justify-center">
              {index < WITH_A_KEY ? <Keycap>{`${index + 1}`}</Keycap> : <span aria-hidden>·</span>}
            </span>
            <span className="line-clamp-2 text-small leading-[14px]">{label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
