'use client'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useId, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { afterFrames } from '#components/ui/after-paint.ts'
import { Button } from '#components/ui/button.tsx'
import { CheckBox } from '#components/ui/check-box.tsx'
import { Chip } from '#components/ui/chip.tsx'
import { ChoiceMenu } from '#components/ui/choice-menu.tsx'
import { FormError } from '#components/ui/form-error.tsx'
import { MenuSelect } from '#components/ui/menu-select.tsx'
import { SmallField } from '#components/ui/small-field.tsx'
import type { LeafDraft, Problem } from './condition-draft.ts'
import { type FieldSpec, fieldsOf, picksOf, type Values } from './condition-fields.ts'
import { usePickName } from './condition-text.tsx'
import { useProblemMessage } from './use-problem-message.ts'
import { WordFiles } from './word-files.tsx'

interface LeafFieldsProps {
  communityId: string | null
  leaf: LeafDraft
  problem: Problem | undefined
  isAdded: boolean
  onChange: (values: Values) => void
}

/** The fields of one condition, and what is wrong with it. */
export function LeafFields({ communityId, leaf, problem, isAdded, onChange }: LeafFieldsProps) {
  const problemMessageOf = useProblemMessage()
  const id = useId()
  const namesId = useId()
  const fields = fieldsOf(leaf.kind)
  // What is about the whole condition is at its first field.
  const wrong = problem && (fields.find(({ name }) => name === problem.field) ?? fields[0])
  return (
    <>
      <div className="mt-1 flex flex-wrap items-end gap-x-3 gap-y-2">
        {fields.map((field, index) => (
          <LeafField
            key={field.name}
            field={field}
            value={leaf.values[field.name] ?? ''}
            hasFocus={isAdded && index === 0}
            describedBy={field === wrong ? id : undefined}
            suggestionsId={leaf.kind === 'signal' ? namesId : undefined}
            onChange={(value) => onChange({ ...leaf.values, [field.name]: value })}
          />
        ))}
      </div>
      {leaf.kind === 'signal' && <SignalNames id={namesId} communityId={communityId} />}
      {problem && (
        <div className="mt-3">
          <FormError id={id}>{problemMessageOf(problem, leaf)}</FormError>
        </div>
      )}
    </>
  )
}

interface LeafFieldProps {
  field: FieldSpec
  value: string
  hasFocus: boolean
  /** Set if something is wrong with it. */
  describedBy: string | undefined
  /** Of a list of values for a text. */
  suggestionsId: string | undefined
  onChange: (value: string) => void
}

function LeafField({ field, value, hasFocus, describedBy, suggestionsId, onChange }: LeafFieldProps) {
  const t = useTranslations('rules.form')
  const id = useId()
  // Safe: every field has a label, which a test checks.
  const label = t(`fields.${field.name as 'words'}`)
  const invalid = describedBy !== undefined && { 'aria-invalid': true, 'aria-describedby': describedBy }
  const common = { ref: hasFocus ? focusOnce : undefined, ...invalid }

  switch (field.type) {
    case 'lines':
      return (
        <span className="grid w-full gap-0.5">
          <label htmlFor={id} className="text-small text-ink-3">
            {label}
          </label>
          <textarea
            {...common}
            id={id}
            dir="auto"
            rows={Math.min(8, Math.max(2, value.split('\n').length))}
            value={value}
            spellCheck={false}
            onChange={(event) => onChange(event.target.value)}
            className="w-full resize-y rounded-2 border border-line-control bg-raised px-2 py-1.5 text-ink aria-invalid:border-reject focus-visible:outline-offset-0"
          />
          {field.name === 'words' && <WordFiles value={value} onChange={onChange} />}
        </span>
      )
    case 'choice':
      return (
        <MenuSelect
          label={label}
          options={field.options.map((option) => ({ id: option, label: t(`options.${option as 'word'}`) }))}
          value={value}
          onChange={onChange}
          {...common}
        />
      )
    case 'check':
      return (
        <CheckBox checked={value === 'true'} onChange={(event) => onChange(String(event.target.checked))}>
          {label}
        </CheckBox>
      )
    case 'picks':
      return (
        <Picks
          field={field}
          label={label}
          value={value}
          hasFocus={hasFocus}
          describedBy={describedBy}
          onChange={onChange}
        />
      )
    case 'text':
      return (
        <span className="w-full [&_input]:font-code">
          <SmallField
            {...common}
            list={suggestionsId}
            label={label}
            dir="ltr"
            required
            maxLength={field.maxLength}
            spellCheck={false}
            autoComplete="off"
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        </span>
      )
    case 'number':
    case 'percent':
      return (
        <SmallField
          {...common}
          label={label}
          type="number"
          {...numberLimits(field)}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )
  }
}

function numberLimits(field: Extract<FieldSpec, { type: 'number' | 'percent' }>) {
  const {
    min,
    max,
    isOptional = false,
    isFraction = false,
  } = field.type === 'number' ? field : { min: field.min, max: 100, isOptional: false, isFraction: true }
  return {
    min,
    max,
    step: isFraction ? 'any' : 1,
    required: !isOptional,
    inputMode: isFraction ? 'decimal' : 'numeric',
  } as const
}

/** Focuses the field of a condition that was just added, or the button in it, once the menu that added it is gone. */
function focusOnce(field: HTMLElement | null): void {
  if (!field || focused.has(field)) return
  focused.add(field)
  setTimeout(() => (field.querySelector('button') ?? field).focus(), FOCUS_AFTER_MS)
}
const focused = new WeakSet<HTMLElement>()
/** The menu gives the focus back to its button in the next frame. */
const FOCUS_AFTER_MS = 50

interface PicksProps extends Omit<LeafFieldProps, 'suggestionsId'> {
  field: FieldSpec & { type: 'choice' | 'picks' }
  label: string
}

/** Several of a known set, each a chip. */
function Picks({ field, label, value, hasFocus, describedBy, onChange }: PicksProps) {
  const t = useTranslations('rules.form')
  const picked = picksOf(value)
  const addition = useRef<HTMLSpanElement>(null)
  const pickName = usePickName()
  const nameOf = (option: string) => pickName(field.name, option)
  const left = field.options.filter((option) => !picked.includes(option)).map((id) => ({ id, label: nameOf(id) }))

  /** The focus goes on to the button that adds: the one that removed is gone. */
  function remove(removed: string): void {
    onChange(picked.filter((one) => one !== removed).join(' '))
    void afterFrames(2).then(() => addition.current?.querySelector('button')?.focus())
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: the condition is a fieldset already
    <span
      ref={hasFocus ? focusOnce : undefined}
      role="group"
      aria-label={label}
      aria-describedby={describedBy}
      className="flex min-w-0 flex-wrap items-center gap-1.5"
    >
      <span aria-hidden className="w-full text-small text-ink-3">
        {label}
      </span>
      {picked.map((option) => (
        <Chip key={option} removeLabel={t('drop', { what: nameOf(option) })} onRemove={() => remove(option)}>
          <span className="px-2">{nameOf(option)}</span>
        </Chip>
      ))}
      {left.length > 0 && (
        <span ref={addition}>
          <ChoiceMenu
            label={label}
            choices={left.sort((a, b) => a.label.localeCompare(b.label))}
            chosen={undefined}
            areActs
            onChoose={(option) => onChange([...picked, option].join(' '))}
          >
            <Button size="small">
              <Plus />
              {t('pick')}
            </Button>
          </ChoiceMenu>
        </span>
      )}
    </span>
  )
}

interface SignalNamesProps {
  id: string
  communityId: string | null
}

/** Suggests the names of signals that content of the space has. Without them, any name can be written. */
function SignalNames({ id, communityId }: SignalNamesProps) {
  const { data: names = [] } = useQuery(useTRPC().rules.signalNames.queryOptions({ communityId }))
  return (
    <datalist id={id}>
      {names.map((name) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  )
}
