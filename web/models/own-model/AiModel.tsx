import { Suspense, useState } from 'react'
import { type ModelSettings, ownModel } from '#contract/models/own-model.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { Alert } from '#web/platform/ui/Alert.tsx'
import { Badge } from '#web/platform/ui/Badge.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { Loaded } from '#web/platform/ui/Loaded.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { FoundServers } from './FoundServers.tsx'
import { RemoveModel } from './RemoveModel.tsx'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'

const OwnModelForm = lazyPart(() => import('./OwnModelForm.tsx'), 'OwnModelForm')

/** Who answers and writes: the user's own language model, the house's, or rules and templates. */
export function AiModel() {
  const query = useEndpoint(ownModel.get)
  const { data } = query
  return (
    <Card title="AI Model" actions={data === undefined ? null : <Standing settings={data} />}>
      <Loaded query={query} failed="Failed to load the AI model" waiting={<Waiting />}>
        {(settings) => <Settings settings={settings} />}
      </Loaded>
    </Card>
  )
}

function Standing({ settings: { answers, own } }: { settings: ModelSettings }) {
  if (own === null)
    return answers === 'house' ? <Badge tone="blue">Howl’s model</Badge> : <Badge>Rules and templates</Badge>
  return (
    <>
      {own.problem === null ? (
        <Badge tone="green">Your own model</Badge>
      ) : (
        <Badge tone="red">Needs attention</Badge>
      )}
      <RemoveModel model={own.model} />
    </>
  )
}

function Settings({ settings }: { settings: ModelSettings }) {
  const [isOpen, setOpen] = useState(false)
  const { own, finds } = settings
  return (
    <div className="flex flex-col gap-5">
      <Alert>{own?.problem}</Alert>
      <p className="max-w-prose text-ink-2">
        <WhoAnswers settings={settings} />
      </p>
      {own === null && finds ? <FoundServers /> : null}
      {own !== null || isOpen ? (
        <Suspense fallback={<Waiting />}>
          <OwnModelForm saved={own} onClose={() => setOpen(false)} />
        </Suspense>
      ) : (
        <div>
          <Button onClick={() => setOpen(true)}>Use a model of your own</Button>
        </div>
      )}
    </div>
  )
}

function WhoAnswers({ settings: { house, own } }: { settings: ModelSettings }) {
  if (own !== null)
    return (
      <>
        <Name>{own.model}</Name> at <Name>{new URL(own.base_url).host}</Name> answers your questions to Wolfy
        and writes your texts. It costs no AI request of your plan. If it does not answer, no other model is
        asked.
      </>
    )
  if (house !== null)
    return (
      <>
        <Name>{house}</Name> answers your questions to Wolfy and writes your texts. It belongs to this Howl,
        and your plan’s AI requests pay for it.
      </>
    )
  return 'No AI model is set up. Wolfy answers by rules, and texts come from templates.'
}

function Name({ children }: { children: string }) {
  return <span className="font-medium wrap-anywhere text-ink">{children}</span>
}

function Waiting() {
  return (
    <div className="flex flex-col gap-3" aria-busy="true">
      <Skeleton className="h-5 w-full max-w-140" />
      <Skeleton className="h-8.5 w-full max-w-60" />
    </div>
  )
}
