'use client'
import { useTranslations } from 'use-intl'
import { CoveredMedia } from '#components/kit/wellness/covered-media.tsx'
import { COVERED_TEXTS } from '#components/preferences/preferences.ts'
import { usePreferences } from '#components/preferences/preferences-context.tsx'
import { SwitchRow } from '#components/ui/switch-row.tsx'
import { ChoiceRow } from './choice-row.tsx'
import { LimitField } from './limit-field.tsx'

export function WellnessSection() {
  const t = useTranslations('settings')
  const { preferences, change } = usePreferences()
  return (
    <>
      <SwitchRow
        label={t('cover')}
        about={t('coverText')}
        isOn={preferences.isMediaCovered}
        onChange={(isMediaCovered) => change({ isMediaCovered })}
      />
      <SwitchRow
        label={t('grey')}
        about={t('greyText')}
        isOn={preferences.isMediaGrey}
        onChange={(isMediaGrey) => change({ isMediaGrey })}
      />
      <SwitchRow
        label={t('blur')}
        about={t('blurText')}
        isOn={preferences.isMediaBlurred}
        onChange={(isMediaBlurred) => change({ isMediaBlurred })}
      />
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
