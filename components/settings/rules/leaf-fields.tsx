'use client'
import { Plus } from 'lucide-react'
import { useId, useRef } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { afterFrames } from '#components/ui/after-paint.ts'
import { Button } from '#components/ui/button.tsx'
import { Chip } from '#components/ui/chip.tsx'
import { ChoiceMenu } from '#components/ui/choice-menu.tsx'
import { FormError } from '#components/ui/form-error.tsx'
import { Select } from '#components/ui/select.tsx'
import { SmallField } from '#components/ui/small-field.tsx'
import type { LeafDraft, Problem } from './condition-draft.ts'
import { FIELDS, type FieldSpec, picksOf, type Values } from './condition-fields.ts'
import { SignalNames } from './signal-names.tsx'
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
  const fields = FIELDS[leaf.kind]
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
  // Safe: every name of FIELDS has a label, which a test checks.
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
        <Select
          label={label}
          options={field.options.map((option) => ({ id: option, label: t(`options.${option as 'word'}`) }))}
          value={value}
          onChange={onChange}
          {...common}
        />
      )
    case 'check':
      return (
        <label className="flex min-h-7 items-center gap-2 text-ink coarse:min-h-10">
          <input
            type="checkbox"
            checked={value === 'true'}
            onChange={(event) => onChange(String(event.target.checked))}
            className="size-4 shrink-0 accent-accent"
          />
          {label}
        </label>
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
  if (field.type === 'percent')
    return { min: field.min ?? 0, max: 100, step: 'any', required: true, inputMode: 'decimal' } as const
  const { min, max, isOptional = false, isFraction = false } = field
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

interface PicksProps {
  field: FieldSpec & { type: 'picks' }
  label: string
  value: string
  hasFocus: boolean
  describedBy: string | undefined
  onChange: (value: string) => void
}

/** Several of a known set, each a chip. */
function Picks({ field, label, value, hasFocus, describedBy, onChange }: PicksProps) {
  const t = useTranslations('rules')
  const languages = new Intl.DisplayNames([useLocale()], { type: 'language' })
  const picked = picksOf(value)
  const addition = useRef<HTMLSpanElement>(null)
  const nameOf = (option: string) => {
    if (field.name === 'languages') return languages.of(option) ?? option
    return field.name === 'scripts' ? t(`scripts.${option as 'Latin'}`) : t(`media.${option as 'image'}`)
  }
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
        <Chip key={option} removeLabel={t('form.drop', { what: nameOf(option) })} onRemove={() => remove(option)}>
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
              {t('form.pick')}
            </Button>
          </ChoiceMenu>
        </span>
      )}
    </span>
  )
}
