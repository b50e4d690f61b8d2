'use client'
import { useTranslations } from 'use-intl'
import { ActKeycap } from '#components/keys/shortcut-keys.tsx'
import { useShortcut } from '#components/keys/use-own-keys.ts'
import { Button } from '#components/ui/button.tsx'
import type { DeskMember, SpaceRole } from '#server/modules/desk/spaces/schema.ts'
import type { MemberActName } from './use-member-acts.tsx'
import { reached } from './use-members.ts'

interface MembersBarProps {
  chosen: DeskMember[]
  roles: SpaceRole[]
  isPending: boolean
  onAct: (act: MemberActName) => void
  onClear: () => void
}

/** The bar below the table: how many members are selected, how many each act applies to, and whom it doesn't and why. */
export function MembersBar({ chosen, roles, isPending, onAct, onClear }: MembersBarProps) {
  const t = useTranslations('members')
  const shortcut = useShortcut('ban')
  const count = (act: keyof DeskMember['may']) => reached(chosen, act).length
  const mayGrant = roles.some((role) => role.mayGrant)
  const above = chosen.filter(({ isBelow }) => !isBelow)
  const acts = [
    { act: 'unban', count: count('unban') },
    { act: 'mute', count: count('mute') },
    { act: 'unmute', count: count('unmute') },
    { act: 'addRole', count: mayGrant ? count('addRole') : 0 },
    { act: 'removeRole', count: count('removeRole') },
    { act: 'remove', count: count('remove') },
  ] as const
  return (
    <div
      role="toolbar"
      aria-label={t('bar')}
      className="flex animate-appear flex-wrap items-center gap-2 border-t border-line-strong bg-selected px-4 py-2 forced-colors:border phone:px-3"
    >
      <b className="font-bold text-ink">{t('chosen', { count: chosen.length })}</b>
      {count('ban') > 0 && (
        <Button aria-keyshortcuts={shortcut} isDisabled={isPending} onPress={() => onAct('ban')}>
          {t('do.ban', { count: count('ban') })}
          <ActKeycap act="ban" className="phone:hidden" />
        </Button>
      )}
      {acts
        .filter((one) => one.count > 0)
        .map(({ act, count }) => (
          <Button key={act} isDisabled={isPending} onPress={() => onAct(act)}>
            {t(`do.${act}`, { count })}
          </Button>
        ))}
      {above.length > 0 && (
        <span className="text-small wrap-anywhere">
          {t('above', { count: above.length, who: above[0]?.displayName ?? '', others: above.length - 1 })}
        </span>
      )}
      <Button look="bare" className="ms-auto" onPress={onClear}>
        {t('clear')}
        <ActKeycap act="back" className="phone:hidden" />
      </Button>
    </div>
  )
}
