'use client'
import { useTranslations } from 'use-intl'
import { LANGUAGES, type Language } from '#components/i18n/locale.ts'
import { DENSITIES, THEMES } from '#components/preferences/preferences.ts'
import { usePreferences } from '#components/preferences/preferences-context.tsx'
import { ChoiceRow } from './choice-row.tsx'

export function LookSection() {
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
