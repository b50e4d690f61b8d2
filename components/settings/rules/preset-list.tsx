'use client'
import { useTranslations } from 'use-intl'
import { PRESET_IDS, toNewRulePath } from '#components/kit/addresses/rules-search.ts'
import { useNavigate } from '#components/ui/use-navigate.ts'
import { SettingsSection } from '../settings-page.tsx'

/** Rules to start from: one press fills the form. */
export function PresetList({ communityId }: { communityId: string | null }) {
  const t = useTranslations('rules.presets')
  const go = useNavigate()
  return (
    <SettingsSection id="presets" title={t('title')}>
      <p className="mt-1">{t('lead')}</p>
      <ul aria-label={t('title')} className="mt-2 grid grid-cols-[repeat(auto-fill,minmax(min(15rem,100%),1fr))] gap-2">
        {PRESET_IDS.map((preset) => (
          <li key={preset} className="grid">
            <button
              type="button"
              onClick={() => go(toNewRulePath({ communityId, preset }))}
              className="grid content-start rounded-2 border border-line-strong bg-raised px-2.5 py-1.5 text-start hover:bg-hover"
            >
              <span className="font-firm text-ink">{t(`names.${preset}`)}</span>
              <span className="text-small text-ink-3">{t(`about.${preset}`)}</span>
            </button>
          </li>
        ))}
      </ul>
    </SettingsSection>
  )
}
