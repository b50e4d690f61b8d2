'use client'
import { useId } from 'react'

interface ChoiceRowProps<Choice extends string> {
  label: string
  choices: { id: Choice; label: string; lang?: string }[]
  chosen: Choice
  onChoose: (id: Choice) => void
}

/** A preference with a few visible options. */
export function ChoiceRow<Choice extends string>({ label, choices, chosen, onChoose }: ChoiceRowProps<Choice>) {
  const name = useId()
  return (
    <fieldset className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-1">
      <legend className="float-start w-36 leading-6 font-firm text-ink coarse:leading-10 phone:float-none phone:w-full">
        {label}
      </legend>
      {choices.map(({ id, label, lang }) => (
        <label key={id} lang={lang} className="flex min-h-6 items-center gap-2 text-ink coarse:min-h-10">
          <input
            type="radio"
            name={name}
            checked={id === chosen}
            onChange={() => onChoose(id)}
            className="size-4 accent-accent"
          />
          {label}
        </label>
      ))}
    </fieldset>
  )
}
