'use client'
import { useTranslations } from 'use-intl'
import { type KeyGroup, QUEUE_KEYS } from '#components/keys/keys.ts'
import { isChangeable } from '#components/keys/own-keys.ts'
import { usePreferences } from '#components/preferences/preferences-context.tsx'
import { Button } from '#components/ui/button.tsx'
import { SwitchRow } from '#components/ui/switch-row.tsx'
import { KeyRow } from './key-row.tsx'

const GROUPS = Object.keys(QUEUE_KEYS) as KeyGroup[]

/** Each act that has a shortcut, with a button to change it. */
export function KeysSection() {
  const t = useTranslations('settings')
  const words = useTranslations('keys')
  const { preferences, change } = usePreferences()
  const hasOwn = Object.keys(preferences.keys).length > 0

  return (
    <>
      <SwitchRow
        label={t('singleKeys')}
        about={t('singleKeysText')}
        isOn={!preferences.areSingleKeysOff}
        onChange={(areOn) => change({ areSingleKeysOff: !areOn })}
      />
      {GROUPS.map((group) => {
        const keys = QUEUE_KEYS[group].filter(({ combos }) => isChangeable(combos))
        if (keys.length === 0) return null
        return (
          <section key={group} className="mt-4">
            <h3 className="border-b border-line-strong pb-1 text-small font-firm text-ink-3">
              {words(`groups.${group}`)}
            </h3>
            <ul>
              {keys.map(({ act, combos }) => (
                <KeyRow key={act} act={act} combos={combos} />
              ))}
            </ul>
          </section>
        )
      })}
      {hasOwn && (
        <Button className="mt-4" onPress={() => change({ keys: {} })}>
          {t('resetAll')}
        </Button>
      )}
    </>
  )
}
