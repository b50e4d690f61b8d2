'use client'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { usePreferences } from '#components/preferences/preferences-context.tsx'
import { Banner } from '#components/ui/banner.tsx'
import { Button } from '#components/ui/button.tsx'
import { SettingsPage, SettingsSection } from '../settings-page.tsx'
import { KeysSection } from './keys-section.tsx'
import { LookSection } from './look-section.tsx'
import { TimeSection } from './time-section.tsx'
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
