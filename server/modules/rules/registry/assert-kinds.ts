import { DomainError } from '#server/core/errors.ts'
import { leavesOf } from '#server/modules/rules/conditions/schema.ts'
import { RULE_PROBLEMS } from '#server/modules/rules/problems/schema.ts'
import type { NewRule } from '#server/modules/rules/registry/schema.ts'

/**
 * Fails with INVALID_PARAMETERS for a rule on messages that would hold them or wait for their scores, neither of which happens to messages, or
 * mute their authors, as rules mute in communities only.
 */
export function assertKinds({ kinds, action, condition }: Pick<NewRule, 'kinds' | 'action' | 'condition'>): void {
  if (!kinds.includes('message')) return
  if (action.type === 'hold') throw new DomainError('INVALID_PARAMETERS', { detail: ['kinds: messages can’t be held'] })
  if (action.muteMinutes !== undefined)
    throw new DomainError('INVALID_PARAMETERS', { detail: ['kinds: rules on messages don’t mute'] })
  if (leavesOf(condition).some(({ kind }) => kind === 'signal'))
    throw new DomainError('INVALID_PARAMETERS', { detail: [`kinds: ${RULE_PROBLEMS.messagesHaveNoSignals}`] })
}
