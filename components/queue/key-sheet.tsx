'use client'
import Link from 'next/link'
import { type ReactNode, useState } from 'react'
import { useFilter } from 'react-aria-components/Autocomplete'
import { useTranslations } from 'use-intl'
import { type KeyGroup, QUEUE_KEYS } from '#components/keys/keys.ts'
import { combosInForce } from '#components/keys/own-keys.ts'
import { PALETTE_COMBO } from '#components/keys/palette-combo.ts'
import { shortcutOf } from '#components/keys/printed-keys.ts'
import { ActKeycap, ShortcutKeys } from '#components/keys/shortcut-keys.tsx'
import { useOwnKeys } from '#components/keys/use-own-keys.ts'
import { Sheet } from '#components/ui/sheet.tsx'

/** Every shortcut as the person has configured it. */
export function KeySheet({ isOpen, onOpenChange }: { isOpen: boolean; onOpenChange: (isOpen: boolean) => void }) {
  const t = useTranslations('keys')
  const own = useOwnKeys()
  const { contains } = useFilter({ sensitivity: 'base' })
  const [wanted, setWanted] = useState('')
  const words = {
    key: () => <ActKeycap act="keys" />,
    own: (text: ReactNode) => (
      <Link href="/settings/preferences#keys" prefetch={false}>
        {text}
      </Link>
    ),
  }

  const groups = (Object.keys(QUEUE_KEYS) as KeyGroup[]).map((group) => ({
    group,
    keys: QUEUE_KEYS[group].map(({ act, combos }) => ({ act, combos: combosInForce(act, combos, own) })),
  }))
  const shown = [
    ...groups,
    { group: 'anywhere' as const, keys: [{ act: 'palette' as const, combos: [PALETTE_COMBO] }] },
  ]
    .map(({ group, keys }) => ({
      group,
      keys: keys.filter(({ act, combos }) => contains(`${t(`acts.${act}`)} ${combos.join(' ')}`, wanted.trim())),
    }))
    .filter(({ keys }) => keys.length > 0)

  return (
    <Sheet title={t('title')} isOpen={isOpen} onOpenChange={onOpenChange}>
      <div className="px-3.5 pt-1">
        <input
          type="search"
          aria-label={t('find')}
          placeholder={t('find')}
          value={wanted}
          onChange={({ target }) => setWanted(target.value)}
          className="h-control w-full rounded-2 border border-line-control bg-raised px-2 text-ink placeholder:text-ink-3"
        />
      </div>
      <div className="columns-2 gap-x-4 px-3.5 pt-1 pb-3 phone:columns-1">
        {shown.map(({ group, keys }) => (
          <section key={group} className="break-inside-avoid pt-2">
            <h3 className="mb-0.5 text-small font-firm text-ink">{t(`groups.${group}`)}</h3>
            <dl className="grid grid-cols-[84px_1fr] gap-y-0.5">
              {keys.map(({ act, combos }) => (
                <div key={act} className="col-span-2 grid grid-cols-subgrid">
                  <dt className="flex flex-wrap gap-[3px] pt-0.5">
                    <span className="sr-only">{combos.map(shortcutOf).join(', ') || t('noKey')}</span>
                    {combos.length > A_RANGE ? (
                      <>
                        <ShortcutKeys combo={combos[0] ?? ''} /> – <ShortcutKeys combo={combos.at(-1) ?? ''} />
                      </>
                    ) : (
                      combos.map((combo) => <ShortcutKeys key={combo} combo={combo} />)
                    )}
                    {combos.length === 0 && (
                      <span aria-hidden className="text-ink-3">
                        {t('noKey')}
                      </span>
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
        {t.rich(own.areSingleKeysOff ? 'singleOff' : 'foot', words)}
      </p>
    </Sheet>
  )
}

/** An act with more keys than this shows only the first and the last. */
const A_RANGE = 3
