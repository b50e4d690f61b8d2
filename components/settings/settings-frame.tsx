'use client'
import { useSuspenseQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { NavLink } from '#components/kit/frame/nav-link.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Button } from '#components/ui/button.tsx'
import { ChoiceMenu } from '#components/ui/choice-menu.tsx'
import { useNavigate } from '#components/ui/use-navigate.ts'
import { SETTINGS_PARTS, settingsPartOf } from './settings-parts.ts'

/** The navigation of the settings the person may open, beside the content; above it on narrow screens. */
export function SettingsFrame({ children }: { children: ReactNode }) {
  const t = useTranslations('settings')
  const parts = useTranslations('settingsParts')
  const go = useNavigate()
  const { data: me } = useSuspenseQuery(useTRPC().access.me.queryOptions())
  const open = SETTINGS_PARTS.filter(({ part }) => me.settings.includes(part))
  const current = settingsPartOf(usePathname())

  return (
    <div className="grid min-h-0 min-w-0 grid-cols-[200px_minmax(0,1fr)] grid-rows-[minmax(0,1fr)] bg-surface max-[900px]:grid-cols-[minmax(0,1fr)] max-[900px]:grid-rows-[auto_minmax(0,1fr)]">
      <nav
        aria-label={t('settings')}
        className="overflow-auto border-e border-line px-2 py-5 max-[900px]:border-e-0 max-[900px]:border-b max-[900px]:px-4 max-[900px]:py-2 phone:px-3"
      >
        <div className="max-[900px]:hidden">
          {open.map(({ part, href }) => (
            <NavLink
              key={part}
              href={href}
              current={part === current ? 'page' : undefined}
              look="min-h-[30px] aria-[current]:bg-selected aria-[current]:text-ink aria-[current]:font-bold"
            >
              {parts(part)}
            </NavLink>
          ))}
        </div>
        <div className="hidden max-[900px]:block">
          <ChoiceMenu
            label={t('settings')}
            choices={open.map(({ part, href }) => ({ id: href, label: parts(part) }))}
            chosen={SETTINGS_PARTS.find(({ part }) => part === current)?.href ?? ''}
            onChoose={go}
          >
            <Button>
              {current && parts(current)}
              <ChevronDown />
            </Button>
          </ChoiceMenu>
        </div>
      </nav>
      {children}
    </div>
  )
}
