'use client'
import { ChevronDown, Plus, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { afterFrames } from '#components/ui/after-paint.ts'
import { Button } from '#components/ui/button.tsx'
import { ChoiceMenu } from '#components/ui/choice-menu.tsx'
import { FormError } from '#components/ui/form-error.tsx'
import { MenuSelect } from '#components/ui/menu-select.tsx'
import {
  CONDITIONS_LIMIT,
  countLeaves,
  DEPTH_LIMIT,
  type GroupDraft,
  isGroup,
  type LeafDraft,
  newGroup,
  newLeaf,
  type PartDraft,
  type Problems,
  replacePart,
} from './condition-draft.ts'
import { LEAF_KINDS, type LeafKind } from './condition-fields.ts'
import { LeafFields } from './leaf-fields.tsx'
import { useProblemMessage } from './use-problem-message.ts'

interface GroupEditorProps {
  /** Of the rule; null: of the whole network. */
  communityId: string | null
  /** What the conditions are for. */
  legend: string
  root: GroupDraft
  problems: Problems
  onChange: (root: GroupDraft) => void
}

/** What every part of the editor needs. */
interface Editing {
  communityId: string | null
  legend: string
  problems: Problems
  /** The part that was added last: its first field gets the focus. */
  addedId: string | undefined
  isFull: boolean
  /** Replaces a part, or removes it. */
  replace: (id: string, part: PartDraft | undefined) => void
  added: (part: PartDraft) => void
}

/** The conditions of a rule: groups of conditions and of groups. */
export function GroupEditor({ communityId, legend, root, problems, onChange }: GroupEditorProps) {
  const [addedId, setAddedId] = useState<string>()
  const editing: Editing = {
    communityId,
    legend,
    problems,
    addedId,
    isFull: countLeaves(root) >= CONDITIONS_LIMIT,
    // The outermost group is no part of itself.
    replace: (id, part) => onChange(id === root.id && part && isGroup(part) ? part : replacePart(root, id, part)),
    added: ({ id }) => setAddedId(id),
  }
  return <Group group={root} depth={1} editing={editing} />
}

/** The head of a part, beside the button that removes it. */
const HEAD = 'flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1'

interface GroupProps {
  group: GroupDraft
  depth: number
  editing: Editing
  onRemove?: () => void
}

function Group({ group, depth, editing, onRemove }: GroupProps) {
  const t = useTranslations('rules.form')
  const problemMessageOf = useProblemMessage()
  const { [group.id]: problem } = editing.problems
  const addition = useRef<HTMLDivElement>(null)
  const isRoot = depth === 1
  const set = (changed: Partial<GroupDraft>) => editing.replace(group.id, { ...group, ...changed })

  function add(part: PartDraft): void {
    editing.added(part)
    set({ parts: [...group.parts, part] })
  }

  /** The focus goes on to the button that adds: the one that removed is gone. */
  function remove({ id }: PartDraft): void {
    editing.replace(id, undefined)
    void afterFrames(2).then(() => addition.current?.querySelector('button')?.focus())
  }

  return (
    <fieldset className={isRoot ? '' : 'rounded-2 border border-line-strong p-2.5'}>
      <legend className={isRoot ? 'mb-1 font-firm text-ink' : 'sr-only'}>
        {isRoot ? editing.legend : t('groupNumber')}
      </legend>
      <div className="flex items-start gap-2">
        <div className={HEAD}>
          {!isRoot && <span className="font-firm text-ink">{t('group')}</span>}
          {!isRoot && <Negation part={group} onChange={(isNot) => set({ isNot })} />}
          <MenuSelect
            label={t('groupOf')}
            isLabelHidden
            options={(['all', 'any'] as const).map((id) => ({ id, label: t(`of.${id}`) }))}
            value={group.of}
            onChange={(of) => set({ of })}
          />
        </div>
        {onRemove && <Remove what={t('group')} onPress={onRemove} />}
      </div>
      <ul className="mt-2 grid gap-2">
        {group.parts.map((part) => (
          <li key={part.id}>
            {isGroup(part) ? (
              <Group group={part} depth={depth + 1} editing={editing} onRemove={() => remove(part)} />
            ) : (
              <LeafEditor leaf={part} editing={editing} onRemove={() => remove(part)} />
            )}
          </li>
        ))}
      </ul>
      {problem && (
        <div className="mt-3">
          <FormError id={`${group.id}-problem`}>{problemMessageOf(problem)}</FormError>
        </div>
      )}
      {editing.isFull && isRoot && <p className="mt-2 text-ink-3">{t('full', { limit: CONDITIONS_LIMIT })}</p>}
      {!editing.isFull && (
        <div ref={addition} className="mt-2 flex flex-wrap gap-2">
          <AddCondition onAdd={(kind) => add(newLeaf(kind))} />
          {/* A group, a condition in it and "not" before both still have to fit. */}
          {depth < DEPTH_LIMIT - 1 && (
            <Button look="bare" onPress={() => add(newGroup(group.of === 'all' ? 'any' : 'all'))}>
              {t('addGroup')}
            </Button>
          )}
        </div>
      )}
    </fieldset>
  )
}

function AddCondition({ onAdd }: { onAdd: (kind: LeafKind) => void }) {
  const t = useTranslations('rules.form')
  return (
    <ChoiceMenu
      label={t('add')}
      choices={LEAF_KINDS.map((id) => ({ id, label: t(`leaf.${id}`) }))}
      chosen={undefined}
      areActs
      onChoose={onAdd}
    >
      <Button>
        <Plus />
        {t('add')}
        <ChevronDown />
      </Button>
    </ChoiceMenu>
  )
}

interface LeafEditorProps {
  leaf: LeafDraft
  editing: Editing
  onRemove: () => void
}

function LeafEditor({ leaf, editing, onRemove }: LeafEditorProps) {
  const t = useTranslations('rules.form')
  const name = t(`leaf.${leaf.kind}`)
  // Safe: it is only read where there is such a message.
  const about = `about.${leaf.kind}` as 'about.domains'
  const set = (changed: Partial<LeafDraft>) => editing.replace(leaf.id, { ...leaf, ...changed })
  return (
    <fieldset className="rounded-2 border border-line-strong px-2.5 pt-1.5 pb-2.5">
      <legend className="sr-only">{name}</legend>
      <div className="flex items-start gap-2">
        <div className={HEAD}>
          <span aria-hidden className="min-w-0 font-firm text-ink">
            {name}
          </span>
          <Negation part={leaf} onChange={(isNot) => set({ isNot })} />
        </div>
        <Remove what={name} onPress={onRemove} />
      </div>
      <LeafFields
        communityId={editing.communityId}
        leaf={leaf}
        problem={editing.problems[leaf.id]}
        isAdded={editing.addedId === leaf.id}
        onChange={(values) => set({ values })}
      />
      {t.has(about) && <p className="mt-1.5 text-small text-ink-3">{t(about)}</p>}
    </fieldset>
  )
}

function Negation({ part, onChange }: { part: PartDraft; onChange: (isNot: boolean) => void }) {
  const t = useTranslations('rules.form')
  return (
    <MenuSelect
      label={t('negate')}
      isLabelHidden
      options={(['true', 'false'] as const).map((id) => ({ id, label: t(`is.${id}`) }))}
      value={part.isNot ? 'false' : 'true'}
      onChange={(is) => onChange(is === 'false')}
    />
  )
}

function Remove({ what, onPress }: { what: string; onPress: () => void }) {
  const t = useTranslations('rules.form')
  return (
    <Button look="icon" aria-label={t('drop', { what })} onPress={onPress}>
      <X />
    </Button>
  )
}
