'use client'
import { ChevronDown } from 'lucide-react'
import { type Ref, useId } from 'react'
import { Button } from './button.tsx'
import { ChoiceMenu } from './choice-menu.tsx'

interface MenuSelectProps<Id extends string> {
  label: string
  /** Whether the label is only there for screen readers. */
  isLabelHidden?: boolean
  /** Whether it is a field of a form, rather than a part of one. */
  isField?: boolean
  options: readonly { id: Id; label: string }[]
  value: Id
  onChange: (id: Id) => void
  ref?: Ref<HTMLSpanElement> | undefined
  /** What is wrong with it. */
  'aria-describedby'?: string
}

/** Chooses one of a few from a menu that looks like the others of the desk. */
export function MenuSelect<Id extends string>(props: MenuSelectProps<Id>) {
  const { label, isLabelHidden, isField = false, options, value, onChange, ref } = props
  const id = useId()
  const shownLook = isField ? 'font-firm text-ink' : 'text-small text-ink-3'
  return (
    // biome-ignore lint/a11y/useSemanticElements: a part of a form, which may be a fieldset
    <span
      ref={ref}
      role="group"
      aria-labelledby={`${id}-label`}
      aria-describedby={props['aria-describedby']}
      className={`grid min-w-0 justify-items-start ${isField ? 'gap-1.5' : 'gap-0.5'}`}
    >
      <span id={`${id}-label`} className={isLabelHidden ? 'sr-only' : shownLook}>
        {label}
      </span>
      <ChoiceMenu label={label} choices={[...options]} chosen={value} onChoose={onChange}>
        <Button
          aria-labelledby={`${id}-label ${id}-value`}
          className="max-w-full border-line-control font-normal coarse:h-10"
        >
          <bdi id={`${id}-value`} className="min-w-0 truncate">
            {options.find((option) => option.id === value)?.label}
          </bdi>
          <ChevronDown className="shrink-0" />
        </Button>
      </ChoiceMenu>
    </span>
  )
}
