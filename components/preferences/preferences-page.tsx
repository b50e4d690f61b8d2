'use client'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { usePreferences } from '#components/shell/preferences-context.tsx'
import { Button } from '#components/ui/button.tsx'
import { Strip } from '#components/ui/strip.tsx'
import { KeysSection } from './keys-section.tsx'
import { LookSection } from './look-section.tsx'
import { TimeSection } from './time-section.tsx'
import { WellnessSection } from './wellness-section.tsx'

const SECTIONS = { time: TimeSection, look: LookSection, wellness: WellnessSection, keys: KeysSection }
const NAMES = Object.keys(SECTIONS) as (keyof typeof SECTIONS)[]

/** How the desk is for me: each change holds at once, and on every browser. */
export function PreferencesPage() {
  const t = useTranslations('settings')
  const { keepAgain } = usePreferences()

  return (
    <main className="grid min-h-0 min-w-0 grid-cols-[200px_minmax(0,1fr)] bg-surface max-[900px]:grid-cols-[minmax(0,1fr)]">
      <nav aria-label={t('sections')} className="border-e border-line px-2 py-5 max-[900px]:hidden">
        {NAMES.map((name) => (
          <a
            key={name}
            href={`#${name}`}
            className="flex min-h-[30px] items-center rounded-2 px-2.5 text-ink-2 no-underline hover:bg-hover"
          >
            {t(name)}
          </a>
        ))}
      </nav>
      {/* Relative, since the boxes that a screen reader presses are laid out by it. */}
      <div className="relative min-h-0 overflow-auto">
        {keepAgain && (
          <Strip
            kind="warn"
            acts={
              <Button size="small" onPress={keepAgain}>
                {t('tryAgain')}
              </Button>
            }
          >
            {t.rich('notKept', { b: (words: ReactNode) => <b>{words}</b> })}
          </Strip>
        )}
        <div className="max-w-205 px-6 pt-5 pb-12 phone:px-3 phone:pt-4">
          <h2 className="text-title font-bold tracking-[-0.012em] text-ink">{t('preferences')}</h2>
          <p className="max-w-[68ch]">{t('lead')}</p>
          {NAMES.map((name) => {
            const Section = SECTIONS[name]
            return (
              <section
                key={name}
                id={name}
                aria-labelledby={`${name}-title`}
                className="mt-5 border-t border-line-strong pt-4"
              >
                <h3 id={`${name}-title`} className="text-large font-bold text-ink">
                  {t(name)}
                </h3>
                <Section />
              </section>
            )
          })}
        </div>
      </div>
    </main>
  )
}
