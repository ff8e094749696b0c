import { useState } from 'react'
import { aiUsage } from '#contract/models/ai-usage.ts'
import { type FoundServer, ownModel } from '#contract/models/own-model.ts'
import { writing } from '#contract/mail/writing.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand, useEndpoint } from '#web/platform/api/queries.ts'
import { Alert } from '#web/platform/ui/Alert.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { toast } from '#web/platform/ui/toast.ts'

/** Model servers on this computer, each ready to be used; nothing where there are none. */
export function FoundServers() {
  const { data: servers = [] } = useEndpoint(ownModel.find, { staleTime: Infinity })
  if (servers.length === 0) return null
  return (
    <div className="rounded-lg bg-accent-soft p-4">
      <h3 className="font-semibold">Found on this computer</h3>
      <p className="max-w-prose text-ink-2">
        What you ask and what your mails say stays on this computer with one of these.
      </p>
      <ul className="mt-2 divide-y divide-line">
        {servers.map((server) => (
          <Found key={server.base_url} server={server} />
        ))}
      </ul>
    </div>
  )
}

function Found({ server: { name, base_url, models } }: { server: FoundServer }) {
  const [model, setModel] = useState(models[0] ?? '')
  const save = useCommand(ownModel.save, {
    refreshes: [ownModel.get, aiUsage.get, writing.settings],
    onSuccess: () => toast.success(`${model} answers from now on`),
  })
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2.5">
      <span className="font-medium">{name}</span>
      <div className="w-full min-w-0 sm:w-80">
        {models.length === 1 ? (
          <span className="wrap-anywhere text-ink-2">{model}</span>
        ) : (
          <Select
            aria-label={`Model of ${name}`}
            value={model}
            onChange={(event) => setModel(event.target.value)}
            options={models.map((value) => ({ value, label: value }))}
          />
        )}
      </div>
      <Button
        variant="primary"
        aria-label={`Use it: ${name}`}
        busy={save.isPending}
        onClick={() => save.mutate({ body: { base_url, model } })}
      >
        Use it
      </Button>
      {save.error === null ? null : (
        <div className="basis-full">
          <Alert>{sentenceOf(save.error, 'Failed to save the AI model')}</Alert>
        </div>
      )}
    </li>
  )
}
