'use client'
import { useTranslations } from 'use-intl'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { toRequestError } from '#components/trpc/request-error.ts'
import { RULE_PROBLEMS, type RuleProblem } from '#server/modules/rules/problems/schema.ts'
import { type LeafDraft, type Problem, readProblems } from './condition-draft.ts'
import { syntaxProblemIn } from './syntax-problem.ts'

/** What is wrong with a rule, or with one of its conditions, in a sentence. */
export function useProblemMessage(): (problem: Problem, leaf?: LeafDraft) => string {
  const t = useTranslations('rules.form.problems')
  return (problem, leaf) => {
    const { entry = '', text } = problem
    const syntax = syntaxProblemIn(text)
    return syntax ? t(syntax.kind, { part: syntax.part }) : t(keyOf(problem, leaf), { entry, problem: text })
  }
}

/** Why an act on a rule failed, in a sentence; undefined without an error. */
export function useRuleErrorMessage(): (error: unknown) => string | undefined {
  const messageOf = useProblemMessage()
  const errorMessageOf = useErrorMessage()
  return (error) => {
    const [problem] = readProblems(problemsIn(error))
    return problem ? messageOf(problem) : errorMessageOf(error)
  }
}

/** What the server found wrong with a rule, in its words. */
export function problemsIn(error: unknown): string[] {
  const { code, facts } = toRequestError(error)
  if (code !== 'UNPROCESSABLE_CONTENT' || !facts || !('detail' in facts)) return []
  return Array.isArray(facts.detail) ? facts.detail : []
}

function keyOf({ field, entry, text }: Problem, leaf: LeafDraft | undefined) {
  if (text === '') return leaf ? 'empty' : 'noConditions'
  if (leaf && field !== undefined && (leaf.values[field] ?? '').trim() === '') return 'empty'
  if (leaf && entry !== undefined) return leaf.kind === 'domains' ? 'domain' : 'word'
  if (field === 'rules') return 'tooMany'
  if (field === 'words' || text.includes('words and domains')) return 'tooManyWords'
  if (field === 'domains') return 'tooManyDomains'
  return knownProblemIn(text) ?? 'other'
}

const knownProblemIn = (text: string) =>
  // Safe: entries lose the type of their keys.
  (Object.keys(RULE_PROBLEMS) as RuleProblem[]).find((problem) => RULE_PROBLEMS[problem] === text)
