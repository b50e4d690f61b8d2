'use client'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { LANGUAGES, type Language } from '#components/i18n/locale.ts'
import { DENSITIES, THEMES } from '#components/preferences/preferences.ts'
import { usePreferences } from '#components/preferences/preferences-context.tsx'
import { Banner } from '#components/ui/banner.tsx'
import { Button } from '#components/ui/button.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { SettingsPage, SettingsSection } from '../settings-page.tsx'
import { ChoiceRow } from './choice-row.tsx'
import { KeysSection } from './keys-section.tsx'
import { WellnessSection } from './wellness-section.tsx'

const SECTIONS = { time: TimeSection, look: LookSection, wellness: WellnessSection, keys: KeysSection }
const NAMES = Object.keys(SECTIONS) as (keyof typeof SECTIONS)[]

/** The person's preferences: each change applies immediately, and on every browser. */
export function PreferencesPage() {
  const t = useTranslations('settings')
  const { keepAgain } = usePreferences()

  return (
    <SettingsPage
      title={t('preferences')}
      lead={t('lead')}
      strip={
        keepAgain && (
          <Banner
            kind="warn"
            acts={
              <Button size="small" onPress={keepAgain}>
                {t('tryAgain')}
              </Button>
            }
          >
            {t.rich('notKept', { b: (words: ReactNode) => <b>{words}</b> })}
          </Banner>
        )
      }
    >
      {NAMES.map((name) => {
        const Section = SECTIONS[name]
        return (
          <SettingsSection key={name} id={name} title={t(name)}>
            <Section />
          </SettingsSection>
        )
      })}
    </SettingsPage>
  )
}

function LookSection() {
  const t = useTranslations('settings')
  const shell = useTranslations('shell')
  const { preferences, change } = usePreferences()
  return (
    <>
      <ChoiceRow
        label={t('theme')}
        choices={THEMES.map((id) => ({ id, label: shell(`themes.${id}`) }))}
        chosen={preferences.theme}
        onChoose={(theme) => change({ theme })}
      />
      <ChoiceRow
        label={t('density')}
        choices={DENSITIES.map((id) => ({ id, label: t(`densities.${id}`) }))}
        chosen={preferences.density}
        onChoose={(density) => change({ density })}
      />
      <ChoiceRow
        label={t('language')}
        choices={Object.entries(LANGUAGES).map(([id, { name }]) => ({ id: id as Language, label: name, lang: id }))}
        chosen={preferences.language}
        onChoose={(language) => change({ language })}
      />
    </>
  )
}

const ZonePicker = lazyPart(
  () => import('#components/kit/zones/zone-picker.tsx').then(({ ZonePicker }) => ZonePicker),
  {
    loading: <div aria-busy className="h-96" />,
  },
)

function TimeSection() {
  const t = useTranslations('settings')
  const { preferences, change } = usePreferences()
  const { zone = 'UTC', isZoneChosen } = preferences
  const [isChoosing, setChoosing] = useState(false)

  function choose(zone: string | null): void {
    change({ zone })
    setChoosing(false)
  }

  return (
    <div className="mt-3">
      <div className="flex flex-wrap items-center gap-2">
        <span className="w-38 font-firm text-ink">{t('zone')}</span>
        <span className="me-2">{t(isZoneChosen ? 'zoneChosen' : 'zoneOwn', { zone })}</span>
        <Button aria-expanded={isChoosing} onPress={() => setChoosing(!isChoosing)}>
          {t('changeZone')}
        </Button>
        {isZoneChosen && (
          <Button look="bare" onPress={() => choose(null)}>
            {t('ownZone')}
          </Button>
        )}
      </div>
      {isChoosing && (
        <div className="mt-2 max-w-100 overflow-hidden rounded-2 border border-line-strong">
          <ZonePicker chosen={zone} onChoose={choose} />
        </div>
      )}
    </div>
  )
}
