'use client'
import { useTranslations } from 'use-intl'
import { Choices } from '#components/ui/choices.tsx'

interface EventChoiceProps {
  names: readonly string[]
  isNarrowed: boolean
  onNarrow: (isNarrowed: boolean) => void
  chosen: readonly string[]
  onChoose: (chosen: readonly string[]) => void
}

const TEST = 'webhook.didTest'

/** All events, or a selection of them, grouped by subject. */
export function EventChoice({ names, isNarrowed, onNarrow, chosen, onChoose }: EventChoiceProps) {
  const t = useTranslations('webhooks')
  const groups = Map.groupBy(
    names.filter((name) => name !== TEST),
    subjectOf,
  )
  return (
    <>
      <Choices
        legend={t('events')}
        columns={2}
        choices={[
          { id: 'all', label: t('everyEvent') },
          { id: 'some', label: t('someEvents') },
        ]}
        chosen={isNarrowed ? 'some' : 'all'}
        onChoose={(id) => onNarrow(id === 'some')}
      />
      {!isNarrowed && <p className="text-small text-ink-3">{t('exceptHeld')}</p>}
      {isNarrowed &&
        [...groups].map(([subject, events]) => (
          <fieldset key={subject}>
            <legend className="mb-1 font-code text-small text-ink-3">{subject}</legend>
            <div className="grid grid-cols-2 gap-x-3 phone:grid-cols-1">
              {events.map((name) => (
                <label key={name} className="flex min-h-6 min-w-0 items-center gap-2 text-ink coarse:min-h-10">
                  <input
                    type="checkbox"
                    checked={chosen.includes(name)}
                    onChange={({ target }) =>
                      onChoose(target.checked ? [...chosen, name] : chosen.filter((other) => other !== name))
                    }
                    className="size-4 shrink-0 accent-accent"
                  />
                  <code className="min-w-0 font-code text-small wrap-anywhere">{name}</code>
                </label>
              ))}
            </div>
          </fieldset>
        ))}
    </>
  )
}

/** `v3.post.didApprove` is about a post. */
function subjectOf(name: string): string {
  return name.split('.').at(-2) ?? name
}
