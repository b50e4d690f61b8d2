'use client'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { initialsOf } from '#components/ui/initials.ts'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { LazyPopover } from '#components/ui/lazy-popover.tsx'
import { NativeButton } from '#components/ui/native-button.tsx'

const AccountPopover = lazyPart(() => import('./account-popover.tsx').then(({ AccountPopover }) => AccountPopover), {
  onFailed: ({ trigger }) => trigger.onClose(),
})

/** The person's account, display preferences and sign-out. */
export function AccountMenu() {
  const t = useTranslations('shell')
  const { data: me } = useSuspenseQuery(useTRPC().access.me.queryOptions())
  const initials = initialsOf(me.name)

  return (
    <LazyPopover
      opens="menu"
      button={
        <NativeButton
          aria-label={t('account', { initials, name: me.name })}
          className="grid size-[26px] place-items-center rounded-full bg-ink text-[10px] font-bold tracking-[0.02em] text-surface phone:mx-1 forced-colors:border forced-colors:bg-[ButtonFace] forced-colors:text-[ButtonText]"
        >
          {initials}
        </NativeButton>
      }
    >
      {(trigger) => <AccountPopover trigger={trigger} />}
    </LazyPopover>
  )
}
