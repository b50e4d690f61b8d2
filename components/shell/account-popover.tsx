'use client'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Check, LogOut, SlidersHorizontal } from 'lucide-react'
import { Header, Menu, MenuItem, MenuSection } from 'react-aria-components/Menu'
import { useTranslations } from 'use-intl'
import { THEMES } from '#components/preferences/preferences.ts'
import { usePreferences } from '#components/preferences/preferences-context.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { PopoverTrigger } from '#components/ui/lazy-popover.tsx'
import { MENU_ITEM } from '#components/ui/menu-item.ts'
import { Popover } from '#components/ui/popover.tsx'
import { useNavigate } from '#components/ui/use-navigate.ts'
import { useSignOut } from './use-sign-out.ts'

const HEADING = 'px-2 pt-1 pb-0.5 text-small font-firm text-ink-3'

export function AccountPopover({ trigger }: { trigger: PopoverTrigger }) {
  const t = useTranslations('shell')
  const { data: me } = useSuspenseQuery(useTRPC().access.me.queryOptions())
  const { preferences, change } = usePreferences()
  const signOut = useSignOut()
  const go = useNavigate()
  const role = me.roles[0]?.displayName

  return (
    <Popover trigger={trigger} label={t('yourAccount')} className="w-60">
      <div className="border-b border-line px-3.5 pt-2.5 pb-2">
        <p dir="auto" className="font-bold wrap-anywhere text-ink">
          {me.name}
        </p>
        <p className="text-small wrap-anywhere text-ink-3">{me.email}</p>
        {role && <p className="text-small wrap-anywhere text-ink-2">{role}</p>}
      </div>
      <Menu
        aria-label={t('yourAccount')}
        autoFocus="first"
        className="p-1.5 outline-none"
        onAction={(key) => {
          if (key === 'sign-out') void signOut()
          if (key === 'preferences') go('/settings/preferences')
        }}
        onClose={trigger.onClose}
      >
        <MenuSection
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[preferences.theme]}
          onSelectionChange={(keys) =>
            change({ theme: THEMES.find((theme) => keys === 'all' || keys.has(theme)) ?? 'system' })
          }
        >
          <Header className={HEADING}>{t('theme')}</Header>
          {THEMES.map((theme) => (
            <MenuItem key={theme} id={theme} className={MENU_ITEM}>
              {({ isSelected }) => (
                <>
                  <span className="grid size-4 place-items-center">{isSelected && <Check className="size-3.5" />}</span>
                  {t(`themes.${theme}`)}
                </>
              )}
            </MenuItem>
          ))}
        </MenuSection>
        <MenuItem id="preferences" className={`${MENU_ITEM} mt-1.5`}>
          <SlidersHorizontal />
          {t('preferences')}
        </MenuItem>
        <MenuItem id="sign-out" className={MENU_ITEM}>
          <LogOut />
          {t('signOut')}
        </MenuItem>
      </Menu>
    </Popover>
  )
}
