'use client'
import { useTranslations } from 'use-intl'
import { Keycap } from '#components/ui/keycap.tsx'
import { Sheet } from '#components/ui/sheet.tsx'
import { type KeyGroup, QUEUE_KEYS } from './keys.ts'

export function KeySheet({ isOpen, onOpenChange }: { isOpen: boolean; onOpenChange: (isOpen: boolean) => void }) {
  const t = useTranslations('keys')
  return (
    <Sheet title={t('title')} isOpen={isOpen} onOpenChange={onOpenChange}>
      <div className="grid grid-cols-2 gap-x-2 px-3.5 pt-1 pb-3 phone:grid-cols-1">
        {(Object.keys(QUEUE_KEYS) as KeyGroup[]).map((group) => (
          <section key={group} className="mt-2">
            <h3 className="mb-0.5 text-small font-firm text-ink">{t(`groups.${group}`)}</h3>
            <dl className="grid grid-cols-[84px_1fr] gap-y-0.5">
              {QUEUE_KEYS[group].map(({ act, combos }) => (
                <div key={act} className="col-span-2 grid grid-cols-subgrid">
                  <dt className="flex gap-[3px] pt-0.5">
                    <span className="sr-only">{combos.map(nameOf).join(', ')}</span>
                    {combos.length > A_RANGE ? (
                      <>
                        <Combo combo={combos[0] ?? ''} /> – <Combo combo={combos.at(-1) ?? ''} />
                      </>
                    ) : (
                      combos.map((combo) => <Combo key={combo} combo={combo} />)
                    )}
                  </dt>
                  <dd className="py-0.5 leading-[18px]">{t(`acts.${act}`)}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p className="border-t border-line px-3.5 py-2 text-small text-ink-3">
        {t.rich('foot', { key: () => <Keycap>?</Keycap> })}
      </p>
    </Sheet>
  )
}

/** So many keys for one act are shown by the first and the last. */
const A_RANGE = 3

const PRINTED: Record<string, string> = { ArrowDown: '↓', ArrowUp: '↑', Escape: 'Esc', mod: 'Ctrl' }

function Combo({ combo }: { combo: string }) {
  return combo.split('+').map((key) => <Keycap key={key}>{printed(key)}</Keycap>)
}

const nameOf = (combo: string) => combo.split('+').map(capital).join(' ')
const printed = (key: string) => PRINTED[key] ?? capital(key)

const capital = (key: string) => key.charAt(0).toUpperCase() + key.slice(1)
