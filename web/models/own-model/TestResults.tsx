import { CircleAlert, CircleCheck } from 'lucide-react'
import type { ModelTest } from '#contract/models/own-model.ts'

const NAMES: Record<ModelTest['checks'][number]['name'], string> = {
  answers: 'Answers',
  streams: 'Streams',
  calls_tools: 'Calls tools',
  keeps_to_json: 'Keeps to JSON',
}

/** What a model can do: yes or no for each, with the reason. */
export function TestResults({ result: { checks } }: { result: ModelTest }) {
  return (
    <ul className="divide-y divide-line rounded-md border border-line px-3">
      {checks.map(({ name, ok, detail }) => {
        const Icon = ok ? CircleCheck : CircleAlert
        return (
          <li key={name} className="flex items-start gap-2 py-2 text-sm">
            <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${ok ? 'text-green' : 'text-danger'}`} />
            <p className="grid min-w-0 flex-1 gap-x-3 sm:grid-cols-[9rem_minmax(0,1fr)]">
              <span className="font-medium">
                {NAMES[name]}: {ok ? 'yes' : 'no'}
              </span>
              <span className="wrap-anywhere text-ink-2">{detail}</span>
            </p>
          </li>
        )
      })}
    </ul>
  )
}
