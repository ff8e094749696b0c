import { CornerDownLeft } from 'lucide-react'
import { Avatar } from '#web/platform/ui/Avatar.tsx'
import { ProgressBar } from '#web/platform/ui/ProgressBar.tsx'
import { StatusBadge } from '#web/platform/ui/StatusBadge.tsx'
import { actors, sceneAt, type SceneState } from './scene-script.ts'

/** Howl at work, in its own components: contacts on the left, the mail going out, the answers coming in. */
export function Scene({ step }: { step: number }) {
  const scene = sceneAt(step)
  return (
    <figure className="relative rounded-xl border border-line bg-surface shadow-float">
      <figcaption className="sr-only">
        An example run: five contacts are mailed one after another, three of them answer, one gets a
        follow-up, and the response rate rises to 60%.
      </figcaption>
      <div
        aria-hidden="true"
        className="grid md:grid-cols-[minmax(0,20rem)_minmax(0,1fr)] lg:grid-cols-[minmax(0,20rem)_minmax(0,1fr)_minmax(0,17.5rem)]"
      >
        <People scene={scene} />
        <Email scene={scene} />
        <Answers scene={scene} />
      </div>
    </figure>
  )
}

function People({ scene }: { scene: SceneState }) {
  return (
    <div className="border-line p-2 md:border-r">
      <p className="px-2 pt-2 pb-1.5 text-sm font-medium text-ink-2">Contacts</p>
      <ul>
        {actors.map((actor, index) => (
          <li key={actor.name} className="flex items-center gap-2.5 rounded-md px-2 py-2">
            <Avatar name={actor.name} />
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium">{actor.name}</span>
              <span className="block truncate text-sm text-ink-2">{actor.company}</span>
            </span>
            <StatusBadge
              key={scene.statuses[index]}
              status={scene.statuses[index] ?? 'new'}
              className="animate-[rise_180ms_var(--ease-out)]"
            />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Email({ scene }: { scene: SceneState }) {
  const { writing, sent } = scene
  const done = sent === actors.length
  return (
    <div className="flex min-w-0 flex-col border-line p-5 max-md:border-y md:p-6">
      <div className="flex-1 text-ink-2">
        <p className="truncate">
          To <span className="text-ink">{writing.name}</span>
        </p>
        <p
          key={writing.subject}
          className="mt-4 animate-[rise_180ms_var(--ease-out)] font-display text-lg text-ink"
        >
          {writing.subject}
        </p>
        <div key={writing.name} className="mt-3 max-w-prose animate-[rise_180ms_var(--ease-out)] text-md">
          <p>Hi {writing.name.split(' ')[0]},</p>
          <p className="mt-2 min-h-26 sm:min-h-20">{writing.opening}</p>
        </div>
      </div>
      <div className="mt-5">
        <div className="mb-2 flex justify-between text-sm text-ink-2 tabular-nums">
          <span>{done ? 'Everyone has their own mail' : 'Sending, one mail each'}</span>
          <span>
            {sent} of {actors.length}
          </span>
        </div>
        <ProgressBar label="Mails sent" value={sent} max={actors.length} />
      </div>
    </div>
  )
}

function Answers({ scene }: { scene: SceneState }) {
  return (
    <div className="flex flex-col border-line p-5 max-lg:col-span-full md:border-t lg:border-t-0 lg:border-l">
      <p className="text-sm font-medium text-ink-2">Response rate</p>
      <p className="font-display text-2xl tabular-nums">{scene.rate}%</p>
      <ul className="mt-3 flex min-h-49 flex-col gap-2">
        {scene.arrived.map(({ from, text }) => (
          <li key={from} className="animate-[rise_180ms_var(--ease-out)] rounded-lg bg-sunken px-3 py-2">
            <span className="flex items-center gap-1.5 text-sm font-medium">
              <CornerDownLeft className="size-3.5 text-accent" />
              {from}
            </span>
            <span className="text-sm text-ink-2">{text}</span>
          </li>
        ))}
        {scene.arrived.length === 0 ? (
          <li className="py-2 text-sm text-ink-2">Answers will show up here.</li>
        ) : null}
      </ul>
    </div>
  )
}
