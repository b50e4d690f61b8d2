'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import type { RoleChange, RoleRow } from '#server/modules/accounts/roles/schema.ts'
import { useSettingsActs } from '../use-settings-acts.tsx'

/** Changes to roles, each with a time-limited undo. */
export function useRoleActs() {
  const t = useTranslations('roles')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const changing = useMutation(trpc.roles.change.mutationOptions())
  const deleting = useMutation(trpc.roles.delete.mutationOptions())
  const restoring = useMutation(trpc.roles.restore.mutationOptions())
  const acts = useSettingsActs(() => queryClient.invalidateQueries(trpc.roles.pathFilter()))

  async function change(before: RoleRow, after: Omit<RoleChange, 'roleId' | 'updatedAt'>): Promise<void> {
    const { roleId, displayName, rank, permissions } = before
    const { updatedAt } = await changing.mutateAsync({ roleId, updatedAt: before.updatedAt, ...after })
    acts.done({
      words: t('changed', { name: after.displayName }),
      undo: () => changing.mutateAsync({ roleId, updatedAt, displayName, rank, permissions }),
    })
  }

  function remove({ roleId, displayName: name }: RoleRow): void {
    acts.run(() => deleting.mutateAsync({ roleId }), {
      words: t('deleted', { name }),
      undo: () => restoring.mutateAsync({ roleId }),
    })
  }

  return { done: acts.done, toast: acts.toast, change, changing, remove }
}
