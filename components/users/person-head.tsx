'use client'
import { Ban, Download, Ellipsis, Eraser, Link2, MicOff, TriangleAlert, UserRoundCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { ActKeycap } from '#components/keys/shortcut-keys.tsx'
import { useShortcut } from '#components/keys/use-own-keys.ts'
import { nameOf } from '#components/kit/people/name-of.ts'
import { toUserPath } from '#components/kit/people/to-user-path.ts'
import { useTimes } from '#components/kit/times/use-times.ts'
import { CoveredLine } from '#components/kit/wellness/covered-text.tsx'
import { Avatar } from '#components/ui/avatar.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Button } from '#components/ui/button.tsx'
import { ChoiceMenu } from '#components/ui/choice-menu.tsx'
import { useCopy } from '#components/ui/use-copy.ts'
import type { Person } from '#server/modules/people/schema.ts'
import { PersonStates } from './person-states.tsx'
import type { PersonDialog } from './use-person-acts.tsx'

interface PersonHeadProps {
  person: Person
  onOpen: (dialog: PersonDialog) => void
}

/** What can be done to a person, the mildest first. */
const SANCTIONS = [
  { act: 'treatment', icon: UserRoundCheck },
  { act: 'warn', icon: TriangleAlert },
  { act: 'mute', icon: MicOff },
  { act: 'ban', icon: Ban },
] as const

/** The person's name, when they joined, and acts on the account. */
export function PersonHead({ person, onOpen }: PersonHeadProps) {
  const t = useTranslations('users')
  const times = useTimes()
  const { user, isStaff, allowed } = person
  const sanctions = SANCTIONS.filter(({ act }) => allowed[act])
  const copy = useCopy()
  const copyLink = () => void copy(new URL(toUserPath(user.userId), location.href).href, t('linkCopied'))
  const day = times.date(user.createdAt)
  return (
    <div className="flex flex-wrap items-start gap-x-3 gap-y-2.5 pt-[18px] pb-3.5 phone:flex-nowrap">
      <Avatar name={nameOf(user)} isLarge />
      <div className="min-w-0 flex-1 basis-52 phone:basis-0">
        <h1 className="flex flex-wrap items-center gap-2 text-title font-bold tracking-[-0.012em] wrap-anywhere text-ink">
          <bdi>{nameOf(user)}</bdi>
          <PersonStates person={user} />
          {isStaff && <Badge>{t('staff')}</Badge>}
          {user.isBrand && <Badge>{t('brand')}</Badge>}
        </h1>
        <p className="wrap-anywhere text-ink-3">
          {user.profileHandle ? t('handleAnd', { handle: user.profileHandle, day }) : t('hereSince', { day })}
        </p>
        {user.description && (
          <p dir="auto" className="mt-1 line-clamp-3 max-w-[60ch] font-member wrap-anywhere text-ink-2">
            <CoveredLine isFlagged={false}>{user.description}</CoveredLine>
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-2 phone:hidden">
        <Button onPress={copyLink}>
          <Link2 />
          {t('copyLink')}
        </Button>
        {allowed.export && (
          <Button onPress={() => onOpen('export')}>
            <Download />
            {t('export.open')}
          </Button>
        )}
        {allowed.erase && (
          <Button onPress={() => onOpen('erase')}>
            <Eraser />
            {t('erase.open')}
          </Button>
        )}
        {sanctions.map(({ act, icon: Icon }) => (
          <SanctionButton key={act} act={act} onPress={() => onOpen(act)}>
            <Icon />
            {t(act)}
          </SanctionButton>
        ))}
      </div>
      <span className="hidden phone:block">
        <ChoiceMenu
          label={t('moreActs')}
          choices={[
            { id: 'link', label: t('copyLink') },
            ...(allowed.export ? [{ id: 'export' as const, label: t('export.open') }] : []),
            ...(allowed.erase ? [{ id: 'erase' as const, label: t('erase.open') }] : []),
            ...sanctions.map(({ act }) => ({ id: act, label: t(act) })),
          ]}
          chosen={undefined}
          areActs
          onChoose={(act) => (act === 'link' ? copyLink() : onOpen(act))}
        >
          <Button look="icon" aria-label={t('moreActs')}>
            <Ellipsis />
          </Button>
        </ChoiceMenu>
      </span>
    </div>
  )
}

interface SanctionButtonProps {
  act: (typeof SANCTIONS)[number]['act']
  onPress: () => void
  children: ReactNode
}

function SanctionButton({ act, onPress, children }: SanctionButtonProps) {
  return (
    <Button onPress={onPress} aria-keyshortcuts={useShortcut(act)}>
      {children}
      <ActKeycap act={act} className="phone:hidden" />
    </Button>
  )
}
