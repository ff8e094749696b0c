import { useState } from 'react'
import { Controller, useForm, type UseFormReturn } from 'react-hook-form'
import type * as z from 'zod/mini'
import { type Contact, contacts } from '#contract/crm/contacts.ts'
import { nameOfTag, tags } from '#contract/crm/tags.ts'
import { ApiError } from '#web/platform/api/errors.ts'
import { changedFields } from '#web/platform/api/changed-fields.ts'
import { formResolver, showFieldErrors } from '#web/platform/api/form.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { TextArea } from '#web/platform/ui/TextArea.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { OWN_STATUS_OPTIONS } from './contact-text.ts'
import { sameNames } from './tag-suggestions.ts'
import { TagsInput } from './TagsInput.tsx'

type Body = NonNullable<typeof contacts.add.body>
const FIELDS = ['name', 'email', 'company', 'position', 'phone', 'notes', 'status'] as const

type ContactDialogProps = {
  open: boolean
  onClose: () => void
  /** The contact to edit; null to add one. */
  contact: Contact | null
}

/** The form that adds or edits a contact. */
export function ContactDialog({ open, onClose, contact: given }: ContactDialogProps) {
  // The contact as it was when the form opened: changes made elsewhere meanwhile are not the user's.
  const [contact] = useState(given)
  const [fault, setFault] = useState<string | null>(null)
  const tagsBefore = contact?.tags.map(({ name }) => name) ?? []
  const form = useForm<z.input<Body>, unknown, z.output<Body>>({
    resolver: formResolver(contacts.add.body),
    defaultValues: {
      ...Object.fromEntries(
        FIELDS.map((name) => [name, contact?.[name] ?? (name === 'status' ? 'prospect' : '')]),
      ),
      tags: tagsBefore,
    },
  })
  const verb = contact === null ? 'add' : 'update'
  const reactions = {
    refreshes: [contacts.list, contacts.get, tags.list],
    onSuccess: () => {
      toast.success(contact === null ? 'Contact added' : 'Contact updated')
      onClose()
    },
    onError: (error: unknown) => {
      // Only the email address must be unique.
      if (error instanceof ApiError && error.code === 'CONFLICT') {
        form.setError('email', { type: 'server', message: error.detail })
        form.setFocus('email')
      } else setFault(showFieldErrors(form, error, [...FIELDS, 'tags'], `Failed to ${verb} contact`))
    },
  }
  const add = useCommand(contacts.add, reactions)
  const update = useCommand(contacts.update, reactions)
  const busy = add.isPending || update.isPending
  const send = form.handleSubmit((body) => {
    setFault(null)
    if (contact === null) return add.mutate({ body })
    const { tags, ...fields } = body
    const sameTags = sameNames((tags ?? []).map(nameOfTag), tagsBefore)
    const changes = { ...changedFields(fields, contact), ...(sameTags ? {} : { tags: tags ?? [] }) }
    if (Object.keys(changes).length === 0) onClose()
    else update.mutate({ params: { id: contact.id }, body: changes })
  })
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={contact === null ? 'Add New Contact' : 'Edit Contact'}
      onSubmit={(event) => void send(event)}
      busy={busy}
      error={fault}
      submit={contact === null ? 'Add Contact' : 'Save Changes'}
    >
      <ContactFields form={form} />
    </Dialog>
  )
}

type ContactForm = UseFormReturn<z.input<Body>, unknown, z.output<Body>>

function ContactFields({ form }: { form: ContactForm }) {
  const { errors } = form.formState
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Name" error={errors.name?.message} required>
        <TextInput {...form.register('name')} autoComplete="off" />
      </Field>
      <Field label="Email" error={errors.email?.message} required>
        <TextInput
          {...form.register('email')}
          type="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
      <Field label="Company" error={errors.company?.message}>
        <TextInput {...form.register('company')} autoComplete="off" />
      </Field>
      <Field label="Position" error={errors.position?.message}>
        <TextInput {...form.register('position')} autoComplete="off" />
      </Field>
      <Field label="Phone" error={errors.phone?.message}>
        <TextInput {...form.register('phone')} type="tel" autoComplete="off" />
      </Field>
      <Field label="Status" error={errors.status?.message}>
        <Select {...form.register('status')} options={OWN_STATUS_OPTIONS} />
      </Field>
      <Field label="Tags" error={errors.tags?.message} className="sm:col-span-2">
        <Controller
          control={form.control}
          name="tags"
          render={({ field }) => (
            <TagsInput isGiven value={(field.value ?? []).map(nameOfTag)} onChange={field.onChange} />
          )}
        />
      </Field>
      <Field label="Notes" error={errors.notes?.message} className="sm:col-span-2">
        <TextArea {...form.register('notes')} />
      </Field>
    </div>
  )
}
