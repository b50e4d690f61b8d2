import type { Exemption } from '#server/testing/foreign-tries.ts'
import type { StressCaller } from '#server/testing/procedures/stress-callers.ts'

/** Those whose role has MANAGE_NETWORK_SETTINGS. */
const SETTINGS_MANAGERS: StressCaller[] = ['super-moderator', 'admin', 'network role that manages settings']

/** What a procedure changes or publishes besides the caller's own data, and why it may. */
export const FOREIGN_EXEMPTIONS: Exemption<StressCaller>[] = [
  {
    calls: ['staff.invite', 'staff.withdraw'],
    callers: ['admin', 'network role that manages staff'],
    tables: ['network_user', 'staff_account', 'staff_link'],
    why: 'the account of somebody new is made or withdrawn, which is nobody’s yet',
  },
  { calls: ['credentials.revoke'], callers: ['admin'], tables: ['api_key'], why: 'keys are the network’s' },
  {
    calls: ['roles.change', 'roles.delete', 'roles.restore'],
    callers: ['super-moderator', 'admin'],
    tables: ['role'],
    why: 'roles are the network’s',
  },
  {
    calls: ['webhooks.add', 'webhooks.change', 'webhooks.rotateSecret', 'webhooks.switch', 'webhooks.remove'],
    callers: ['admin'],
    tables: ['webhook_endpoint'],
    why: 'endpoints are the network’s',
  },
  {
    calls: ['notifications.addRoom', 'notifications.changeRoom', 'notifications.removeRoom'],
    callers: ['admin'],
    tables: ['chat_room'],
    why: 'chat rooms are the network’s',
  },
  {
    calls: [
      'classifiers.add',
      'classifiers.change',
      'classifiers.replaceSecret',
      'classifiers.switch',
      'classifiers.remove',
    ],
    callers: ['admin'],
    tables: ['classifier'],
    why: 'classifiers are the network’s',
  },
  {
    calls: ['policies.versions', 'policies.change', 'policies.archive'],
    callers: SETTINGS_MANAGERS,
    tables: ['policy', 'policy_version'],
    reads: true,
    why: 'policies are the network’s',
  },
  {
    calls: ['reasons.change', 'reasons.archive', 'reasons.order'],
    callers: SETTINGS_MANAGERS,
    tables: ['rejection_reason'],
    why: 'reasons are the network’s',
  },
  {
    calls: ['settings.changeFlags'],
    callers: SETTINGS_MANAGERS,
    tables: ['network_settings', 'event'],
    why: 'settings are the network’s',
  },
  {
    calls: ['lists.kept', 'lists.remove'],
    callers: SETTINGS_MANAGERS,
    tables: ['list_rule', 'audit', 'event'],
    reads: true,
    why: 'lists are the network’s',
  },
  {
    calls: ['communities.set'],
    callers: SETTINGS_MANAGERS,
    tables: ['community', 'audit', 'event'],
    why: 'MANAGE_NETWORK_SETTINGS edits every community',
  },
  {
    calls: ['palette.find'],
    callers: ['network role that manages settings'],
    reads: true,
    why: 'MANAGE_NETWORK_SETTINGS edits every community, so it finds each by name',
  },
  {
    calls: ['targets.set', 'targets.remove'],
    callers: SETTINGS_MANAGERS,
    tables: ['service_target', 'audit', 'event'],
    why: 'service targets are set with MANAGE_NETWORK_SETTINGS',
  },
  {
    calls: ['targets.setClaimTime'],
    callers: SETTINGS_MANAGERS,
    tables: ['community', 'audit', 'event'],
    why: 'claim times are set with MANAGE_NETWORK_SETTINGS',
  },
  {
    calls: ['rules.setState'],
    tables: ['rule_version'],
    why: 'a version names its rule, which names the space',
  },
  {
    calls: ['rules.create', 'rules.change', 'rules.setState', 'rules.applyToPending', 'rules.archive'],
    callers: ['moderator', 'super-moderator', 'admin'],
    tables: ['rule', 'rule_version', 'event'],
    why: 'rules of the network are written with MANAGE_RULES in a network role',
  },
  {
    calls: ['queues.create', 'queues.change', 'queues.delete'],
    callers: ['moderator', 'super-moderator', 'admin'],
    tables: ['named_queue', 'event'],
    why: 'queues of the network are managed with MANAGE_RULES in a network role',
  },
  {
    calls: ['review.decide'],
    tables: ['tally_delta'],
    why: 'posts are counted by their feed, whose id is its own',
  },
  {
    calls: ['bulk.start', 'bulk.work', 'bulk.undo'],
    tables: ['bulk_item'],
    why: 'the caller’s own list of what they chose, where it says that an item was refused',
  },
  {
    calls: ['bulk.work', 'bulk.undo', 'bulk.progress'],
    repeatsIds: true,
    why: 'the answer names rejected items by the ids that the caller sent',
  },
]
