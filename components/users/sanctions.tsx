'use client'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { Done } from '#components/kit/acts/done.ts'
import { PersonLink } from '#components/kit/people/person-link.tsx'
import { usePolicies } from '#components/kit/policies/use-policies.ts'
import { Trail, TrailStep } from '#components/kit/review/trail.tsx'
import { LiftButton, UnmuteButton } from '#components/kit/sanctions/lift-button.tsx'
import { useSpaceName } from '#components/kit/sanctions/space-name.ts'
import { useTimes } from '#components/kit/times/use-times.ts'
import type { BanRecord, MuteRecord, Person } from '#server/modules/people/schema.ts'
import { Paged } from './paged.tsx'
import { Section } from './section.tsx'

interface SanctionsProps {
  person: Person
  onLifted: (act: Done) => void
}

/** Active and past bans and mutes: where, by whom, why, and until when. */
export function Sanctions({ person, onLifted }: SanctionsProps) {
  const t = useTranslations('users')
  const words = useSpaceName()
  const spaceName = ({ space }: BanRecord) => words({ space, displayName: space.displayName })
  const { userId } = person.user
  return (
    <Section title={t('sanctions')}>
      {person.bans.items.length > 0 && (
        <Paged person={person} name="bans">
          {(items) => (
            <Trail>
              {items.map((ban) => (
                <SanctionStep key={ban.banId} what={t('bannedSpace', { space: spaceName(ban) })} sanction={ban}>
                  {ban.mayLift && (
                    <LiftButton userId={userId} space={ban.space} spaceName={spaceName(ban)} onLifted={onLifted} />
                  )}
                </SanctionStep>
              ))}
            </Trail>
          )}
        </Paged>
      )}
      {person.mutes.items.length > 0 && (
        <div className={person.bans.items.length > 0 ? 'mt-2' : ''}>
          <Paged person={person} name="mutes">
            {(items) => (
              <Trail>
                {items.map((mute) => (
                  <SanctionStep
                    key={mute.muteId}
                    what={t('mutedSpace', { space: mute.space.displayName })}
                    sanction={mute}
                  >
                    {mute.mayLift && (
                      <UnmuteButton
                        userId={userId}
                        space={mute.space}
                        spaceName={mute.space.displayName}
                        mute={mute}
                        onLifted={onLifted}
                      />
                    )}
                  </SanctionStep>
                ))}
              </Trail>
            )}
          </Paged>
        </div>
      )}
    </Section>
  )
}

interface SanctionStepProps {
  what: string
  sanction: BanRecord | MuteRecord
  children?: ReactNode
}

function SanctionStep({
  what,
  sanction: { at, by, reason, policyId, liftedAt },
  sanction,
  children,
}: SanctionStepProps) {
  const t = useTranslations('users')
  const ui = useTranslations('ui')
  const times = useTimes()
  const { titleOf } = usePolicies()
  const isInForce = liftedAt === undefined
  const said = [titleOf(policyId), reason].filter((why) => why !== undefined)
  const made = { time: () => <time title={times.exact(at)}>{times.brief(at)}</time> }
  return (
    <TrailStep isTight node={isInForce ? 'now' : 'plain'} nodeColour={isInForce ? 'bg-age-3' : ''}>
      <span className={`wrap-anywhere text-ink ${isInForce ? 'font-firm' : ''}`}>
        <bdi>{what}</bdi>
      </span>
      {said.map((why) => (
        <span key={why} className="wrap-anywhere">
          {ui('comma')}
          <bdi>{why}</bdi>
        </span>
      ))}
      <span className="block wrap-anywhere text-ink-3">
        {by ? t.rich('madeBy', { ...made, who: () => <PersonLink person={by} /> }) : t.rich('made', made)}
        {ui('comma')}
        <Ending sanction={sanction} />
      </span>
      {children && <span className="block pt-1">{children}</span>}
    </TrailStep>
  )
}

/** Says until when a sanction lasts, or how it ended. */
function Ending({ sanction: { endsAt, liftedAt, liftedBy } }: { sanction: BanRecord | MuteRecord }) {
  const t = useTranslations('users')
  const times = useTimes()
  if (liftedAt !== undefined && liftedBy) {
    return t.rich('liftedBy', { who: () => <PersonLink person={liftedBy} />, time: () => times.brief(liftedAt) })
  }
  if (liftedAt !== undefined) return t('endedByItself', { time: times.brief(liftedAt) })
  return endsAt === undefined ? t('untilLifted') : t('until', { time: times.exact(endsAt) })
}
