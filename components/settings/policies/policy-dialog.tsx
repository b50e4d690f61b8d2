'use client'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { LANGUAGES } from '#components/i18n/locale.ts'
import { FormDialog, Incomplete } from '#components/kit/acts/form-dialog.tsx'
import { useDraftFields } from '#components/kit/acts/use-draft-fields.ts'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { inLanguage, usePolicyLanguage } from '#components/kit/policies/use-policies.ts'
import { toRequestError } from '#components/trpc/request-error.ts'
import { trpcClient } from '#components/trpc/trpc.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Choices } from '#components/ui/choices.tsx'
import { Field } from '#components/ui/field.tsx'
import { Select } from '#components/ui/select.tsx'
import { TextBox } from '#components/ui/text-box.tsx'
import {
  POLICY_CATEGORIES,
  POLICY_GROUNDS,
  POLICY_LENGTHS,
  type Policies,
  type Policy,
  type PolicyCategory,
  type PolicyFields,
  type PolicyGround,
  type PolicyLanguage,
  type PolicyTexts,
  REPORT_REASONS_LIMIT,
  WEIGHT_LIMIT,
} from '#server/modules/network/policies/schema.ts'
import { LANGUAGE_ORDER } from './languages-of.ts'

interface PolicyDialogProps {
  /** The policy to change; without it, one is added. */
  policy: Policy | undefined
  /** All of them: a reason for reports stands for one. */
  policies: Policy[]
  onClose: () => void
  /** Receives all policies after the change. */
  onDone: (policies: Policies, words: string) => void
}

/** Title and text of a policy in each language, and its facts. Saving makes a new version. */
export function PolicyDialog({ policy, policies, onClose, onDone }: PolicyDialogProps) {
  const t = useTranslations('policies')
  const usualErrorMessageOf = useErrorMessage()
  const readVersion = useReadVersion()
  const toSent = useSent(policies.filter(({ policyId }) => policyId !== policy?.policyId))
  const { fields, write, forget } = useDraftFields(`policy ${policy?.policyId ?? ''}`, startOf(policy))
  // Safe: as `startOf` and the fields write them.
  const texts = JSON.parse(fields.texts) as Texts
  const ground = fields.ground as PolicyGround

  async function send(): Promise<void> {
    const sent = toSent({ ...fields, ground, texts })
    const changed = await (policy ? change(policy, sent) : trpcClient.policies.create.mutate(sent))
    forget()
    onDone(changed, t(policy ? 'changed' : 'added'))
  }

  /** If somebody changed it first, nothing is overwritten; to save again replaces their version. */
  async function change({ policyId }: Policy, sent: PolicyFields): Promise<Policies> {
    try {
      return await trpcClient.policies.change.mutate({ ...sent, policyId, version: Number(fields.version) })
    } catch (error) {
      if (isConflict(error)) write({ version: String(await readVersion(policyId)) })
      throw error
    }
  }

  return (
    <FormDialog
      title={t(policy ? 'changeTitle' : 'add')}
      submit={t(policy ? 'save' : 'addSubmit')}
      isWritten
      onSubmit={send}
      errorMessageOf={(error) => (isConflict(error) ? t('changedMeanwhile') : usualErrorMessageOf(error))}
      onClose={() => {
        forget()
        onClose()
      }}
    >
      <TextFields texts={texts} onChange={(texts) => write({ texts: JSON.stringify(texts) })} />
      <Choices
        legend={t('ground')}
        columns={2}
        choices={POLICY_GROUNDS.map((id) => ({ id, label: t(`grounds.${id}`) }))}
        chosen={ground}
        onChoose={(ground) => write({ ground })}
      />
      {ground === 'law' && (
        <Field
          label={t('legalReference')}
          hint={t('legalReferenceHint')}
          dir="auto"
          required
          pattern=".*\S.*"
          autoComplete="off"
          maxLength={POLICY_LENGTHS.legalReference}
          value={fields.legalReference}
          onChange={(event) => write({ legalReference: event.target.value })}
        />
      )}
      <div className="grid justify-items-start">
        <Select
          isField
          label={t('category')}
          options={POLICY_CATEGORIES.map((id) => ({ id, label: t(`categories.${id}`) }))}
          // Safe: the value is that of one of the options.
          value={fields.category as PolicyCategory}
          onChange={(category) => write({ category })}
        />
      </div>
      <Field
        label={t('weight')}
        hint={t('weightHint')}
        isShort
        type="number"
        inputMode="numeric"
        required
        min={0}
        max={WEIGHT_LIMIT}
        value={fields.weight}
        onChange={(event) => write({ weight: event.target.value })}
      />
      <Field
        label={t('url')}
        hint={t('urlHint')}
        type="url"
        inputMode="url"
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        placeholder="https://"
        pattern="https?://\S+"
        maxLength={POLICY_LENGTHS.url}
        value={fields.url}
        onChange={(event) => write({ url: event.target.value })}
      />
      <TextBox
        label={t('reportReasons')}
        hint={t('reportReasonsHint')}
        maxLength={REPORT_REASONS_LIMIT * (POLICY_LENGTHS.reportReason + 1)}
        value={fields.reportReasons}
        onChange={(reportReasons) => write({ reportReasons })}
      />
    </FormDialog>
  )
}

/** What is being written in each language. */
type Texts = Record<PolicyLanguage, { title: string; text: string }>

interface TextFieldsProps {
  texts: Texts
  onChange: (texts: Texts) => void
}

/** One language at a time. */
function TextFields({ texts, onChange }: TextFieldsProps) {
  const t = useTranslations('policies')
  const [language, setLanguage] = useState(usePolicyLanguage())
  const { title, text } = texts[language]
  const { name } = LANGUAGES[language]
  const write = (said: Partial<Texts[PolicyLanguage]>) =>
    onChange({ ...texts, [language]: { ...texts[language], ...said } })
  return (
    <>
      <Choices
        legend={t('language')}
        columns={3}
        choices={LANGUAGE_ORDER.map((id) => ({
          id,
          label: LANGUAGES[id].name,
          hint: t(isBlank(texts[id]) ? 'notWritten' : 'written'),
        }))}
        chosen={language}
        onChoose={setLanguage}
      />
      <Field
        label={t('titleIn', { language: name })}
        lang={language}
        dir="auto"
        autoComplete="off"
        maxLength={POLICY_LENGTHS.title}
        value={title}
        onChange={(event) => write({ title: event.target.value })}
      />
      <TextBox
        label={t('textIn', { language: name })}
        hint={t('textHint')}
        rows={4}
        maxLength={POLICY_LENGTHS.text}
        value={text}
        onChange={(text) => write({ text })}
      />
    </>
  )
}

const isBlank = ({ title, text }: Texts[PolicyLanguage]) => title.trim() === '' && text.trim() === ''

const isConflict = (error: unknown) => toRequestError(error).code === 'CONFLICT'

/** The version is kept with the draft, so that a reload doesn't hide that somebody changed the policy. */
function startOf(policy: Policy | undefined) {
  const { texts = {}, ground = 'terms', legalReference = '', url = '', weight = 1 } = policy ?? {}
  const { category = 'OTHER_VIOLATION_TC', reportReasons = [], version = 1 } = policy ?? {}
  const blank = { title: '', text: '' }
  const { en = blank, de = blank, ar = blank } = texts
  return {
    texts: JSON.stringify({ en, de, ar } satisfies Texts),
    ground: ground as string,
    legalReference,
    url,
    weight: String(weight),
    category: category as string,
    reportReasons: reportReasons.join('\n'),
    version: String(version),
  }
}

/** The current version of a policy, read again. */
function useReadVersion(): (policyId: string) => Promise<number> {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  return async (policyId) => {
    const { policies } = await queryClient.fetchQuery(trpc.policies.list.queryOptions(undefined, { staleTime: 0 }))
    return policies.find((policy) => policy.policyId === policyId)?.version ?? 1
  }
}

type Written = Omit<ReturnType<typeof startOf>, 'texts' | 'ground'> & { texts: Texts; ground: PolicyGround }

/** What is sent of what was written; says what is missing, or stands for another policy. */
function useSent(others: Policy[]): (written: Written) => PolicyFields {
  const t = useTranslations('policies')
  const language = usePolicyLanguage()

  function toTexts(written: Texts): PolicyTexts {
    const texts: PolicyTexts = {}
    for (const id of LANGUAGE_ORDER) {
      const said = { title: written[id].title.trim(), text: written[id].text.trim() }
      if (isBlank(said)) continue
      if (said.title === '' || said.text === '') throw new Incomplete(t('incomplete', { language: LANGUAGES[id].name }))
      texts[id] = said
    }
    if (Object.keys(texts).length === 0) throw new Incomplete(t('nothingWritten'))
    return texts
  }

  function assertUsable(reportReasons: string[]): void {
    const isTooLong = reportReasons.some((reason) => reason.length > POLICY_LENGTHS.reportReason)
    if (isTooLong || reportReasons.length > REPORT_REASONS_LIMIT)
      throw new Incomplete(t('reasonsTooMany', { most: REPORT_REASONS_LIMIT, length: POLICY_LENGTHS.reportReason }))
    for (const reason of reportReasons) {
      const other = others.find(
        (policy) => !policy.isArchived && policy.reportReasons.some((taken) => folded(taken) === folded(reason)),
      )
      if (other)
        throw new Incomplete(t('reasonTaken', { reason, title: inLanguage(other.texts, language)?.title ?? '' }))
    }
  }

  return ({ texts, ground, legalReference, url, weight, category, reportReasons }) => {
    const reasons = linesOf(reportReasons)
    assertUsable(reasons)
    return {
      texts: toTexts(texts),
      ground,
      ...(ground === 'law' && { legalReference: legalReference.trim() }),
      ...(url.trim() !== '' && { url: url.trim() }),
      weight: Number(weight),
      // Safe: as the select writes it.
      category: category as PolicyCategory,
      reportReasons: reasons,
    }
  }
}

const folded = (reason: string) => reason.trim().toLowerCase()

const linesOf = (lines: string) => [
  ...new Set(
    lines
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
]
