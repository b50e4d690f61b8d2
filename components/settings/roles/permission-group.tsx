'use client'
import { useId } from 'react'
import { useTranslations } from 'use-intl'
import type { RoleMatrix } from '#server/modules/accounts/roles/schema.ts'

interface PermissionGroupProps {
  legend: string
  permissions: RoleMatrix['permissions']['network']
  held: ReadonlySet<string>
  mayToggle: (permission: string) => boolean
  onToggle: (permission: string) => void
}

/** A group of permissions, each a checkbox with a sentence on what it allows. */
export function PermissionGroup({ legend, permissions, held, mayToggle, onToggle }: PermissionGroupProps) {
  const name = useTranslations('permissions')
  const meaning = useTranslations('permissionMeanings')
  const baseId = useId()
  return (
    <fieldset className="mt-5 border-t border-line-strong pt-3">
      <legend className="float-start mb-1 w-full text-large font-bold text-ink">{legend}</legend>
      <div className="clear-both grid grid-cols-2 gap-x-4 phone:grid-cols-1">
        {permissions.map((permission) => (
          <div key={permission} className="pb-1.5">
            <label className="flex min-h-7 items-center gap-2 text-ink coarse:min-h-10">
              <input
                type="checkbox"
                aria-describedby={`${baseId}-${permission}`}
                checked={held.has(permission)}
                disabled={!mayToggle(permission)}
                onChange={() => onToggle(permission)}
                className="size-4 shrink-0 accent-accent"
              />
              {name(permission)}
            </label>
            <p id={`${baseId}-${permission}`} className="ps-6 text-small text-ink-3">
              {meaning(permission)}
            </p>
          </div>
        ))}
      </div>
    </fieldset>
  )
}
