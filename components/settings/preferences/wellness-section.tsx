'use client'
import { type FormEvent, useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import { CoveredMedia } from '#components/kit/wellness/covered-media.tsx'
import { COVERED_TEXTS } from '#components/preferences/preferences.ts'
import { usePreferences } from '#components/preferences/preferences-context.tsx'
import { SwitchRow } from '#components/ui/switch-row.tsx'
import { ChoiceRow } from './choice-row.tsx'

const SWITCHES = { isMediaCovered: 'cover', isMediaGrey: 'grey', isMediaBlurred: 'blur' } as const

/** How media and texts are covered, and when to pause. */
export function WellnessSection() {
  const t = useTranslations('settings')
  const { preferences, change } = usePreferences()
  return (
    <>
      {(['isMediaCovered', 'isMediaGrey', 'isMediaBlurred'] as const).map((name) => (
        <SwitchRow
          key={name}
          label={t(SWITCHES[name])}
          about={t(`${SWITCHES[name]}Text`)}
          isOn={preferences[name]}
          onChange={(isOn) => change({ [name]: isOn })}
        />
      ))}
      <div className="mt-3">
        <p className="mb-1 text-small text-ink-3">{t('example')}</p>
        <CoveredMedia name={t('exampleName')} about={t('exampleAbout')}>
          {(softened) => <Boat className={softened} label={t('exampleAbout')} />}
        </CoveredMedia>
      </div>
      <ChoiceRow
        label={t('coveredText')}
        choices={COVERED_TEXTS.map((id) => ({ id, label: t(`coveredTexts.${id}`) }))}
        chosen={preferences.coveredText}
        onChoose={(coveredText) => change({ coveredText })}
      />
      <fieldset className="mt-3">
        <legend className="font-firm text-ink">{t('pause')}</legend>
        <p>{t('pauseText')}</p>
        <LimitField
          label={t('afterDecisions')}
          max={10_000}
          limit={preferences.pauseAfterDecisions}
          onChange={(pauseAfterDecisions) => change({ pauseAfterDecisions })}
        />
        <LimitField
          label={t('afterMinutes')}
          max={1_440}
          limit={preferences.pauseAfterMinutes}
          onChange={(pauseAfterMinutes) => change({ pauseAfterMinutes })}
        />
      </fieldset>
    </>
  )
}

/** A sample picture for the covers: it needs colours and edges. */
function Boat({ className, label }: { className: string; label: string }) {
  return (
    <svg viewBox="0 0 220 110" role="img" aria-label={label} className={`block w-55 ${className}`}>
      <path fill="oklch(0.86 0.06 230)" d="M0 0h220v70H0z" />
      <path fill="oklch(0.55 0.09 235)" d="M0 70h220v40H0z" />
      <path fill="oklch(0.97 0.02 95)" d="M112 14v46h44z" />
      <path fill="oklch(0.88 0.09 75)" d="M106 22v38H74z" />
      <path fill="oklch(0.52 0.17 25)" d="M62 66h104l-16 20H78z" />
    </svg>
  )
}

interface LimitFieldProps {
  label: string
  max: number
  /** Undefined means never. */
  limit: number | undefined
  onChange: (limit: number | null) => void
}

/** A limit, saved on blur or Enter; empty means never. */
function LimitField({ label, max, limit, onChange }: LimitFieldProps) {
  const t = useTranslations('settings')
  const id = useId()
  const [written, setWritten] = useState<string>()
  const shown = written ?? String(limit ?? '')

  function take(): void {
    if (written === undefined) return
    const wanted = written === '' ? null : Math.min(Math.max(Math.round(Number(written)), 1), max)
    setWritten(undefined)
    if (wanted !== (limit ?? null)) onChange(wanted)
  }

  return (
    <form
      className="mt-2 flex items-center gap-2"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        take()
      }}
    >
      <input
        id={id}
        type="number"
        inputMode="numeric"
        min={1}
        max={max}
        placeholder={t('never')}
        value={shown}
        onChange={({ target }) => setWritten(target.value)}
        onBlur={take}
        className="h-control w-22 rounded-2 border border-line-control bg-raised px-2 text-ink placeholder:text-ink-3 coarse:h-10"
      />
      <label htmlFor={id}>{label}</label>
    </form>
  )
}
