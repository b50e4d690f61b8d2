'use client'
import { useMutation } from '@tanstack/react-query'
import { Check, CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { useTimes } from '#components/kit/times/use-times.ts'
import { trpcClient } from '#components/trpc/trpc.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Button } from '#components/ui/button.tsx'
import type { AskProblem, Classifier, ExampleAnswer } from '#server/modules/integrations/classifiers/schema.ts'
import { Notice, ServiceSection, StateBadge } from '../services/service-section.tsx'
import type { useServices } from '../services/use-services.tsx'
import { useOutcome } from '../webhooks/delivery-words.tsx'
import { useClassifierErrorMessage } from './use-classifier-error-message.ts'

interface ClassifierSectionProps {
  classifier: Classifier
  services: ReturnType<typeof useServices<Classifier, unknown>>
  onEdit: () => void
}

/** A classifier, its state and acts on it. */
export function ClassifierSection({ classifier, services, onEdit }: ClassifierSectionProps) {
  const t = useTranslations('classifiers')
  const trpc = useTRPC()
  const times = useTimes()
  const announce = useAnnounce()
  const errorMessageOf = useClassifierErrorMessage()
  const testing = useMutation(trpc.classifiers.test.mutationOptions())
  const switching = useMutation(
    trpc.classifiers.switch.mutationOptions({ onSuccess: services.replace, onSettled: services.readAgain }),
  )
  const { classifierId, version, name, url, state, waiting, openSince, lastFailure } = classifier
  const isOn = state !== 'off'

  const turn = (isOn: boolean) =>
    switching.mutate(
      { classifierId, version, isOn },
      { onSuccess: () => announce(t(isOn ? 'switchedOn' : 'switchedOff')) },
    )
  const questionOf = (act: 'replace' | 'remove') => ({
    title: t(`${act}Title`),
    about: name,
    means: t(`${act}Means`, { waiting }),
    submit: t(`${act}Submit`),
  })
  const replaceSecret = () =>
    services.confirm({ ...questionOf('replace'), look: 'primary' }, async () => {
      const { classifier, secret } = await trpcClient.classifiers.replaceSecret.mutate({ classifierId, version })
      services.done(t('replaced'), { service: classifier, secret })
    })
  const remove = () =>
    services.confirm(questionOf('remove'), async () => {
      await trpcClient.classifiers.remove.mutate({ classifierId, version })
      services.done(t('removed'))
    })

  return (
    <ServiceSection
      id={classifierId}
      head={
        <>
          <div className="flex flex-wrap items-center gap-2">
            <h2 id={classifierId} dir="auto" className="min-w-0 font-bold wrap-anywhere text-ink">
              {name}
            </h2>
            {state !== 'working' && <StateBadge look={LOOKS[state]}>{t(`states.${state}`)}</StateBadge>}
          </div>
          <p dir="ltr" className="font-code text-small wrap-anywhere rtl:text-end">
            {url}
          </p>
        </>
      }
      secret={services.secretOf(classifier)}
      onKept={services.forgetSecret}
      notice={
        // Nothing is asked at the moment.
        state === 'open' &&
        openSince && (
          <Notice>
            {t.rich(lastFailure?.problem === 'secret' ? 'isUnsigned' : 'isOpen', {
              b: (words: ReactNode) => <b>{words}</b>,
              waiting,
              time: times.exact(openSince),
            })}
          </Notice>
        )
      }
      facts={useFacts(classifier)}
      acts={
        <>
          <Button isDisabled={testing.isPending} onPress={() => testing.mutate({ classifierId })}>
            {t('test')}
          </Button>
          <Button onPress={onEdit}>{t('change')}</Button>
          <Button onPress={replaceSecret}>{t('replace')}</Button>
          <Button onPress={() => turn(!isOn)}>{t(isOn ? 'switchOff' : 'switchOn')}</Button>
          <Button onPress={remove}>{t('remove')}</Button>
        </>
      }
      failure={errorMessageOf(switching.error ?? testing.error)}
    >
      {testing.isPending && <p className="mt-2 text-ink-3">{t('testing')}</p>}
      {testing.data && !testing.isPending && <ExampleLine answer={testing.data} />}
    </ServiceSection>
  )
}

const LOOKS = { off: 'plain', failing: 'warn', open: 'reject' } as const

function useFacts(classifier: Classifier): [name: string, value: ReactNode][] {
  const t = useTranslations('classifiers')
  const times = useTimes()
  const format = useFormatter()
  const problemOf = useProblem()
  const { kinds, community, deadlineMs, batchSize, medianMs, lastAnsweredAt, lastFailure, offSince } = classifier
  const { waiting, answered, failed, dropped } = classifier
  const judged = t('kindsIn', {
    kinds: format.list(kinds.map((kind) => t(`kindsListed.${kind}`))),
    space: community?.name ?? t('wholeNetwork'),
  })
  return [
    [
      t('kinds'),
      <span key="kinds" className="block first-letter:uppercase">
        {judged}
      </span>,
    ],
    [t('requests'), t('requestsOf', { batch: batchSize, deadline: deadlineMs })],
    [t('states.off'), offSince && t('since', { time: times.exact(offSince) })],
    [t('waiting'), format.number(waiting)],
    [t('answered'), format.number(answered)],
    [t('failed'), failed > 0 && format.number(failed)],
    [t('dropped'), dropped > 0 && format.number(dropped)],
    [t('median'), medianMs !== undefined && t('ms', { ms: medianMs })],
    [t('lastAnswered'), lastAnsweredAt ? times.exact(lastAnsweredAt) : t('never')],
    [
      t('lastFailure'),
      lastFailure && t('failedAt', { problem: problemOf(lastFailure), time: times.exact(lastFailure.at) }),
    ],
  ]
}

/** What a classifier answered to an example. */
function ExampleLine({ answer: { problem, status, durationMs, signals } }: { answer: ExampleAnswer }) {
  const t = useTranslations('classifiers')
  const format = useFormatter()
  const problemOf = useProblem()
  return (
    <div className="mt-2">
      <p className="flex flex-wrap items-center gap-1.5">
        <span className={`flex items-center gap-1 font-firm ${problem ? 'text-reject' : 'text-approve'}`}>
          {problem ? <CircleAlert /> : <Check />}
          {problem ? problemOf({ problem, ...(status !== undefined && { status }) }) : t('valid')}
        </span>
        {t('took', { ms: durationMs })}
      </p>
      {!problem && (
        <p className="wrap-anywhere">
          {signals.length === 0
            ? t('noSignals')
            : format.list(
                signals.map(({ name, score }) => t('signal', { name, score: format.number(score) })),
                { type: 'unit' },
              )}
        </p>
      )}
    </div>
  )
}

/** Why a request failed, in a few words; most reasons are those of webhooks. */
function useProblem(): (failure: { problem: AskProblem; status?: number }) => string {
  const t = useTranslations('classifiers.problems')
  const outcomeOf = useOutcome()
  return ({ problem, ...rest }) =>
    problem === 'timeout' || problem === 'answer' || problem === 'secret' ? t(problem) : outcomeOf({ problem, ...rest })
}
