import { useQueryClient } from '@tanstack/react-query'
import { Copy, FilePen, Plus, Trash2 } from 'lucide-react'
import { Link } from 'react-router'
import type { FieldValues } from '#contract/outreach/template-text/fields.ts'
import { type SequenceSummary, sequences } from '#contract/outreach/sequences.ts'
import { type HouseTemplate, type Template, templates, TEMPLATES_MAX } from '#contract/outreach/templates.ts'
import { call } from '#web/platform/api/call.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { refresh, useCommand, useEndpoint } from '#web/platform/api/queries.ts'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { ConfirmDialog } from '#web/platform/ui/ConfirmDialog.tsx'
import { EmptyState } from '#web/platform/ui/EmptyState.tsx'
import { LoadFailed } from '#web/platform/ui/Loaded.tsx'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { useOpened } from '#web/platform/ui/use-opened.ts'
import { toast } from '#web/platform/ui/toast.ts'
import { InEnglish } from '../runs/InEnglish.tsx'
import { sampleText, withNames } from './sample-text.ts'
import { newTemplatePath, templatePath } from './template-paths.ts'

/** The user's own templates, and those of the house to begin with. */
export function TemplateList() {
  const { data: sample } = useEndpoint(templates.values)
  return (
    <div className="flex flex-col gap-5">
      <Card
        title="Your templates"
        actions={
          <Link to={newTemplatePath()} className={buttonClass('primary')}>
            <Plus aria-hidden className="size-4" />
            New template
          </Link>
        }
      >
        <Own values={sample?.values} />
      </Card>
      <Card title="To begin with">
        <p className="max-w-prose pb-3 text-ink-2">
          Ten mails for ten occasions. Choose one, and put your own words where it shows an example in square
          brackets.
          <InEnglish />
        </p>
        <House values={sample?.values} />
      </Card>
    </div>
  )
}

function Own({ values }: { values: FieldValues | undefined }) {
  const query = useEndpoint(templates.list)
  const { data, error } = query
  if (data === undefined && error !== null)
    return <LoadFailed query={query} message="Failed to load your templates" />
  if (data === undefined) return <Skeleton className="h-24" />
  if (data.length === 0)
    return (
      <EmptyState title="No templates of your own yet" art={<FilePen aria-hidden className="size-6" />}>
        Write a mail once and use it for many people. Each gets it with their own name and company.
      </EmptyState>
    )
  return (
    <ul aria-label="Your templates" className="-my-1">
      {data.map((template) => (
        <OwnRow key={template.id} template={template} values={values} />
      ))}
      {data.length >= TEMPLATES_MAX ? (
        <li className="pt-3 text-sm text-ink-2">These are {TEMPLATES_MAX}, which is the most.</li>
      ) : null}
    </ul>
  )
}

function OwnRow({ template, values }: { template: Template; values: FieldValues | undefined }) {
  const { id, name, subject } = template
  const users = useUsers(id)
  const asking = useOpened<Template>()
  const client = useQueryClient()
  const restore = async () => {
    try {
      await call(templates.restore, { params: { id } })
      toast.success('Template restored')
      void refresh(client, templates.list)
    } catch (error) {
      toast.error(sentenceOf(error, 'This can no longer be undone.'))
    }
  }
  const remove = useCommand(templates.remove, {
    refreshes: [templates.list],
    onSuccess: () => {
      asking.props.onClose()
      toast.success('Template deleted', { undo: () => void restore() })
    },
    onError: (error) => toast.error(sentenceOf(error, 'Failed to delete the template')),
  })
  const duplicate = useCommand(templates.duplicate, {
    refreshes: [templates.list],
    onSuccess: () => toast.success('Template duplicated'),
    onError: (error) => toast.error(sentenceOf(error, 'Failed to duplicate the template')),
  })
  return (
    <li className="flex items-center justify-between gap-3 border-b border-line py-2 last:border-0">
      <div className="min-w-0">
        <Link
          to={templatePath(id)}
          className="block max-w-full truncate rounded-sm font-medium hover:text-accent hover:underline pointer-coarse:py-1.5"
        >
          {name}
        </Link>
        <p className="truncate text-sm text-ink-2">
          {values === undefined ? subject : sampleText(subject, withNames(values))}
        </p>
      </div>
      <div className="flex shrink-0">
        <IconButton
          label={`Duplicate ${name}`}
          icon={<Copy aria-hidden />}
          busy={duplicate.isPending}
          onClick={() => duplicate.mutate({ params: { id } })}
        />
        <IconButton
          label={`Delete ${name}`}
          icon={<Trash2 aria-hidden />}
          danger
          busy={remove.isPending}
          onClick={() => (users?.length === 0 ? remove.mutate({ params: { id } }) : asking.show(template))}
        />
      </div>
      {asking.what === null ? null : (
        <ConfirmDialog
          key={asking.turn}
          {...asking.props}
          title={`Delete template “${name}”?`}
          action="Delete"
          danger
          isWorkedOut={users !== undefined}
          busy={remove.isPending}
          error={null}
          onConfirm={() => remove.mutate({ params: { id } })}
        >
          {users === undefined ? null : usedText(name, users)}
        </ConfirmDialog>
      )}
    </li>
  )
}

/** The sequences that have not ended and send a template; undefined: not known yet. */
function useUsers(id: number): readonly SequenceSummary[] | undefined {
  const { data, isError } = useEndpoint(sequences.list)
  return isError ? [] : data?.filter(({ state, template_ids: ids }) => state !== 'ended' && ids.includes(id))
}

/** What becomes of the sequences that send a template when it is deleted. */
function usedText(name: string, users: readonly SequenceSummary[]): string {
  if (users.length === 0) return 'No sequence uses it.'
  const names = new Intl.ListFormat('en').format(users.map((each) => `“${each.name}”`))
  const held = [
    users.some(({ state }) => state !== 'draft') ? 'emails from it wait' : '',
    users.some(({ state }) => state === 'draft') ? 'a draft can’t start' : '',
  ].filter(Boolean)
  return `“${name}” is used by the ${users.length === 1 ? 'sequence' : 'sequences'} ${names}. Until you choose another template there, ${held.join(' and ')}.`
}

function House({ values }: { values: FieldValues | undefined }) {
  const query = useEndpoint(templates.house, { staleTime: Infinity })
  const { data, error } = query
  if (data === undefined && error !== null)
    return <LoadFailed query={query} message="Failed to load these templates" />
  if (data === undefined || values === undefined) return <Skeleton className="h-64" />
  return (
    <ul
      aria-label="Templates to begin with"
      className="grid grid-cols-1 border-t border-line sm:grid-cols-2 sm:gap-x-8"
    >
      {data.map((template) => (
        <HouseRow key={template.key} template={template} values={values} />
      ))}
    </ul>
  )
}

function HouseRow({ template, values }: { template: HouseTemplate; values: FieldValues }) {
  const { key, name, purpose, subject } = template
  return (
    <li className="flex items-start justify-between gap-3 border-b border-line py-3 last:border-0 sm:nth-last-2:border-0">
      <div className="min-w-0">
        <h3 className="font-medium">{name}</h3>
        <p className="text-ink-2">{purpose}</p>
        <p className="truncate text-sm text-ink-2 italic">{sampleText(subject, values)}</p>
      </div>
      <Link to={newTemplatePath(key)} aria-label={`Use ${name}`} className={buttonClass('quiet', 's')}>
        Use
      </Link>
    </li>
  )
}
