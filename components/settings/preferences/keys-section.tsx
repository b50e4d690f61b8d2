'use client'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { type KeyAct, type KeyGroup, QUEUE_KEYS } from '#components/keys/keys.ts'
import { holderOf, isChangeable, isFree, isModifier, withKey } from '#components/keys/own-keys.ts'
import { printedKeys } from '#components/keys/printed-keys.ts'
import { ShortcutKeys } from '#components/keys/shortcut-keys.tsx'
import { useIsMac } from '#components/keys/use-own-keys.ts'
import { usePreferences } from '#components/preferences/preferences-context.tsx'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Button } from '#components/ui/button.tsx'
import { comboOf } from '#components/ui/keys.ts'
import { SwitchRow } from '#components/ui/switch-row.tsx'

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

const TABLE = Object.values(QUEUE_KEYS).flat()

/** `asked` is a pressed key that can't be assigned without confirmation. */
type Step = { step: 'rest' } | { step: 'listen'; asked?: { combo: string; holder?: KeyAct } }

function KeyRow({ act, combos }: { act: KeyAct; combos: readonly string[] }) {
  const t = useTranslations('settings')
  const words = useTranslations('keys.acts')
  const isMac = useIsMac()
  const announce = useAnnounce()
  const { preferences, change } = usePreferences()
  const [state, setState] = useState<Step>({ step: 'rest' })
  const button = useRef<HTMLButtonElement>(null)

  const [usual = ''] = combos
  const now = preferences.keys[act] ?? usual
  const name = words(act)
  const printed = (combo: string) => printedKeys(combo, isMac).join(' ')

  function give(combo: string): void {
    change({ keys: withKey(TABLE, preferences.keys, { act, combo }) })
    setState({ step: 'rest' })
    button.current?.focus()
    announce(t('said', { act: name, key: printed(combo) }))
  }

  function press(event: KeyboardEvent): void {
    if (state.step === 'rest' || event.key === 'Tab') return
    event.preventDefault()
    event.stopPropagation()
    const combo = comboOf(event.nativeEvent)
    if (combo !== undefined && !isModifier(event.key)) take(combo)
  }

  function take(combo: string): void {
    const holder = holderOf(TABLE, preferences.keys, combo)
    if (combo === 'Escape' || holder === act) setState({ step: 'rest' })
    else if (!isFree(combo)) setState({ step: 'listen', asked: { combo } })
    else if (holder) setState({ step: 'listen', asked: { combo, holder } })
    else give(combo)
  }

  const asked = state.step === 'listen' ? state.asked : undefined
  return (
    <li className="border-b border-line py-1">
      <div className="flex min-h-(--table-row) flex-wrap items-center gap-2">
        <span className="min-w-0 flex-1 text-ink first-letter:uppercase">{name}</span>
        {now !== usual && (
          <Button
            look="bare"
            size="small"
            aria-label={t('resetOf', { act: name, key: printed(usual) })}
            onPress={() => give(usual)}
          >
            {t('reset', { key: printed(usual) })}
          </Button>
        )}
        <button
          ref={button}
          type="button"
          onClick={() => setState({ step: 'listen' })}
          onKeyDown={press}
          onBlur={({ relatedTarget, currentTarget }) =>
            !currentTarget.closest('li')?.contains(relatedTarget) && setState({ step: 'rest' })
          }
          className="flex h-control min-w-24 items-center justify-center gap-2 rounded-2 border border-line-strong bg-raised px-2.5 font-firm text-ink hover:bg-hover coarse:h-10 forced-colors:border-[ButtonText]"
        >
          {state.step === 'listen' ? (
            <>
              … <span className="sr-only">{t('press', { act: name })}</span>
            </>
          ) : (
            <>
              <span className="flex gap-[3px]">
                <ShortcutKeys combo={now} />
              </span>
              {t('change')} <span className="sr-only">{t('changeOf', { act: name, key: printed(now) })}</span>
            </>
          )}
        </button>
      </div>
      <div aria-live="polite">
        {state.step === 'listen' && !asked && <p className="pb-1.5">{t('press', { act: name })}</p>}
        {asked && (
          <Asked
            combo={printed(asked.combo)}
            holder={asked.holder && words(asked.holder)}
            onSwap={() => give(asked.combo)}
            onLeave={() => {
              setState({ step: 'rest' })
              button.current?.focus()
            }}
          />
        )}
      </div>
    </li>
  )
}

interface AskedProps {
  combo: string
  /** The act that has this key; undefined if the key is reserved. */
  holder: string | undefined
  onSwap: () => void
  onLeave: () => void
}

function Asked({ combo, holder, onSwap, onLeave }: AskedProps) {
  const t = useTranslations('settings')
  const rich = { b: (words: ReactNode) => <b className="font-bold text-ink">{words}</b>, key: combo }
  return (
    <div className="flex flex-wrap items-center gap-2 rounded-2 bg-warn-tint px-2.5 py-1.5">
      <p className="min-w-48 flex-1">{holder ? t.rich('holder', { ...rich, act: holder }) : t.rich('taken', rich)}</p>
      {holder && (
        <Button size="small" onPress={onSwap}>
          {t('swap')}
        </Button>
      )}
      <Button look="bare" size="small" onPress={onLeave}>
        {t('leave')}
      </Button>
    </div>
  )
}
