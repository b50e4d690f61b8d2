'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { useTimes } from '#components/kit/times/use-times.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Banner } from '#components/ui/banner.tsx'
import { Button } from '#components/ui/button.tsx'
import type { Classifier, ClassifierState } from '#server/modules/integrations/classifiers/schema.ts'
import { useReplaceInList } from '../use-replace-in-list.ts'
import { EndpointSecretDialog } from '../webhooks/endpoint-secret-dialog.tsx'
import type { ClassifierAct } from './classifier-dialogs.ts'
import { ExampleLine } from './example-line.tsx'
import { useClassifierErrorMessage } from './use-classifier-error-message.ts'
import { useProblem } from './use-problem.ts'

interface ClassifierSectionProps {
  classifier: Classifier
  /** The new secret, while it is shown. */
  secret: string | undefined
  onKept: () => void
  onAct: (act: ClassifierAct) => void
}

/** A classifier, its state and what can be done with it. */
export function ClassifierSection({ classifier, secret, onKept, onAct }: ClassifierSectionProps) {
  const t = useTranslations('classifiers')
  const { classifierId, name, url, state } = classifier
  const { isOn, turn, testing, failure } = useClassifier(classifier)
  return (
    <section aria-labelledby={classifierId} className="mt-5 border-t border-line-strong pt-4">
      <div className="flex flex-wrap items-center gap-2">
        <h2 id={classifierId} dir="auto" className="min-w-0 font-bold wrap-anywhere text-ink">
          {name}
        </h2>
        <StateTag state={state} />
      </div>
      <p dir="ltr" className="font-code text-small wrap-anywhere rtl:text-end">
        {url}
      </p>
      {secret && <EndpointSecretDialog secret={secret} onKept={onKept} />}
      <Notice classifier={classifier} />
      <Facts classifier={classifier} />
      <div className="mt-2.5 flex flex-wrap gap-2">
        <Button isDisabled={testing.isPending} onPress={() => testing.mutate({ classifierId })}>
          {t('test')}
        </Button>
        <Button onPress={() => onAct('change')}>{t('change')}</Button>
        <Button onPress={() => onAct('replace')}>{t('replace')}</Button>
        <Button onPress={() => turn(!isOn)}>{t(isOn ? 'switchOff' : 'switchOn')}</Button>
        <Button onPress={() => onAct('remove')}>{t('remove')}</Button>
      </div>
      <div aria-live="polite">
        {failure && <p className="mt-2 text-reject">{failure}</p>}
        {testing.isPending && <p className="mt-2 text-ink-3">{t('testing')}</p>}
        {testing.data && !testing.isPending && <ExampleLine answer={testing.data} />}
      </div>
    </section>
  )
}

/** Acts without a dialog, and their results. */
function useClassifier({ classifierId, version, state }: Classifier) {
  const t = useTranslations('classifiers')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const errorMessageOf = useClassifierErrorMessage()
  const onSuccess = useReplaceInList(trpc.classifiers.list.queryKey(), 'classifierId')
  const onSettled = () => queryClient.invalidateQueries(trpc.classifiers.list.queryFilter())
  const switching = useMutation(trpc.classifiers.switch.mutationOptions({ onSuccess, onSettled }))
  const testing = useMutation(trpc.classifiers.test.mutationOptions())
  return {
    isOn: state !== 'off',
    turn: (isOn: boolean) =>
      switching.mutate(
        { classifierId, version, isOn },
        { onSuccess: () => announce(t(isOn ? 'switchedOn' : 'switchedOff')) },
      ),
    testing,
    failure: errorMessageOf(switching.error ?? testing.error),
  }
}

/** A badge for a state that is not the usual one. */
function StateTag({ state }: { state: ClassifierState }) {
  const t = useTranslations('classifiers.states')
  if (state === 'working') return null
  if (state === 'off') return <Badge>{t('off')}</Badge>
  return (
    <Badge look={state === 'open' ? 'reject' : 'warn'}>
      <CircleAlert />
      {t(state)}
    </Badge>
  )
}

/** Why nothing is asked at the moment. */
function Notice({ classifier: { state, openSince, waiting, lastFailure } }: { classifier: Classifier }) {
  const t = useTranslations('classifiers')
  const times = useTimes()
  if (state !== 'open' || !openSince) return null
  return (
    <div className="mt-2.5 overflow-hidden rounded-2 border border-b-0 border-warn-edge">
      <Banner kind="warn">
        {t.rich(lastFailure?.problem === 'secret' ? 'isUnsigned' : 'isOpen', {
          b: (words: ReactNode) => <b>{words}</b>,
          waiting,
          time: times.exact(openSince),
        })}
      </Banner>
    </div>
  )
}

function Facts({ classifier }: { classifier: Classifier }) {
  const t = useTranslations('classifiers')
  const times = useTimes()
  const format = useFormatter()
  const problemOf = useProblem()
  const { kinds, community, deadlineMs, batchSize, medianMs, lastAnsweredAt, lastFailure, offSince } = classifier
  const { waiting, answered, failed, dropped } = classifier
  return (
    <dl className="mt-2 grid grid-cols-[140px_minmax(0,1fr)] gap-x-3 gap-y-1 phone:grid-cols-[minmax(0,1fr)] phone:gap-y-0 [&_dd]:text-ink [&_dd]:phone:mb-1.5">
      <dt>{t('kinds')}</dt>
      <dd className="wrap-anywhere first-letter:uppercase">
        {t('kindsIn', {
          kinds: format.list(kinds.map((kind) => t(`kindsListed.${kind}`))),
          space: community?.name ?? t('wholeNetwork'),
        })}
      </dd>
      <dt>{t('requests')}</dt>
      <dd>{t('requestsOf', { batch: batchSize, deadline: deadlineMs })}</dd>
      {offSince && (
        <>
          <dt>{t('states.off')}</dt>
          <dd>{t('since', { time: times.exact(offSince) })}</dd>
        </>
      )}
      <dt>{t('waiting')}</dt>
      <dd>{format.number(waiting)}</dd>
      <dt>{t('answered')}</dt>
      <dd>{format.number(answered)}</dd>
      {failed > 0 && (
        <>
          <dt>{t('failed')}</dt>
          <dd>{format.number(failed)}</dd>
        </>
      )}
      {dropped > 0 && (
        <>
          <dt>{t('dropped')}</dt>
          <dd>{format.number(dropped)}</dd>
        </>
      )}
      {medianMs !== undefined && (
        <>
          <dt>{t('median')}</dt>
          <dd>{t('ms', { ms: medianMs })}</dd>
        </>
      )}
      <dt>{t('lastAnswered')}</dt>
      <dd>{lastAnsweredAt ? times.exact(lastAnsweredAt) : t('never')}</dd>
      {lastFailure && (
        <>
          <dt>{t('lastFailure')}</dt>
          <dd>{t('failedAt', { problem: problemOf(lastFailure), time: times.exact(lastFailure.at) })}</dd>
        </>
      )}
    </dl>
  )
}
