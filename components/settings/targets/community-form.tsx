'use client'
import { useId, useState } from 'react'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { FoundChip } from '#components/kit/filters/found-chip.tsx'
import { Button } from '#components/ui/button.tsx'
import { FormError } from '#components/ui/form-error.tsx'

interface CommunityFormProps {
  /** Whole numbers from 1, each with its unit after it as its label. */
  fields: { name: string; label: string; max: number; usual: number }[]
  submitLabel: string
  look?: 'primary'
  mutation: { error: unknown; isPending: boolean }
  onSubmit: (communityId: string, numberOf: (name: string) => number) => void
}

/** Sets numbers for a community. */
export function CommunityForm({ fields, submitLabel, look, mutation, onSubmit }: CommunityFormProps) {
  const id = useId()
  const failure = useErrorMessage()(mutation.error)
  const [community, setCommunity] = useState<{ id: string | null; name?: string | undefined }>({ id: null })
  return (
    <form
      onSubmit={(event) => {
        // Not a form action, which would reset the fields.
        event.preventDefault()
        const form = new FormData(event.currentTarget)
        if (community.id !== null) onSubmit(community.id, (name) => Number(form.get(name)))
      }}
      className="mt-2 flex flex-wrap items-center gap-2"
    >
      <FoundChip
        what="space"
        chosen={community.id}
        name={community.name}
        onChoose={(id, name) => setCommunity({ id, name })}
      />
      {fields.map(({ name, label, max, usual }) => (
        <span key={name} className="flex items-center gap-2">
          <input
            id={`${id}-${name}`}
            name={name}
            type="number"
            inputMode="numeric"
            min={1}
            max={max}
            required
            defaultValue={usual}
            className="h-control w-20 rounded-2 border border-line-control bg-raised px-2 text-ink"
          />
          <label htmlFor={`${id}-${name}`}>{label}</label>
        </span>
      ))}
      <Button type="submit" look={look} isDisabled={community.id === null || mutation.isPending}>
        {submitLabel}
      </Button>
      {failure && <FormError id={`${id}-failure`}>{failure}</FormError>}
    </form>
  )
}
