'use client'
import { useTranslations } from 'use-intl'
import { DENSITIES, THEMES } from '#components/shell/preferences.ts'
import { usePreferences } from '#components/shell/preferences-context.tsx'
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
      <div className="mt-3 flex flex-wrap">
        <span className="w-40 font-firm text-ink">{t('language')}</span>
        <span>{t('languageText')}</span>
      </div>
    </>
  )
}
