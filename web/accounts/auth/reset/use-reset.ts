import { useState } from 'react'
import { EXPIRED_OTP, passwordReset } from '#contract/accounts/password-reset.ts'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import { type ApiError, sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { toast } from '#web/platform/ui/toast.ts'
import { type CodeMessages, LINK_NOT_SENT, LINK_SENT, printedNote, UNKNOWN_EMAIL } from './reset-messages.ts'

export type ResetStep = 'email' | 'otp' | 'password' | 'complete'

/** A new password by a mailed code: who it is, the code, the new password. Going back keeps what was entered. */
export function useReset(messages: CodeMessages) {
  const [step, setStep] = useState<ResetStep>('email')
  const [email, setEmail] = useState('')
  const [otp, setOtp] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const [printed, setPrinted] = useState<'code' | 'link' | null>(null)
  // Kept here: the step after it may be shown before the command has its reply.
  const [cleared, setCleared] = useState<
    Pick<ReplyOf<typeof passwordReset.resetByOtp>, 'cleared' | 'printed'>
  >({})

  const goTo = (next: ResetStep) => {
    setFault(null)
    setStep(next)
  }
  const failed = (fallback: string) => (error: ApiError) => setFault(sentenceOf(error, fallback))
  const code = useCommand(passwordReset.requestOtp, {
    onSuccess: (reply) => {
      if (!reply.exists) return setFault(UNKNOWN_EMAIL)
      if (!reply.otp_sent) return setFault(messages.notSent)
      setOtp('')
      setPrinted(reply.printed ? 'code' : null)
      toast.success(messages.sent)
      goTo('otp')
    },
    onError: failed('Failed to send OTP'),
  })
  const link = useCommand(passwordReset.requestLink, {
    onSuccess: (reply) => {
      if (!reply.exists) return setFault(UNKNOWN_EMAIL)
      if (!reply.link_sent) return setFault(LINK_NOT_SENT)
      setPrinted(reply.printed ? 'link' : null)
      toast.success(LINK_SENT)
    },
    onError: failed('Failed to send reset link'),
  })
  const verify = useCommand(passwordReset.verifyOtp, {
    onSuccess: () => {
      toast.success(messages.verified)
      goTo('password')
    },
    onError: failed(EXPIRED_OTP),
  })
  const reset = useCommand(passwordReset.resetByOtp, {
    onSuccess: (reply) => {
      setCleared({ cleared: reply.cleared, printed: reply.printed })
      toast.success(messages.done)
      goTo('complete')
    },
    onError: failed('Failed to reset password'),
  })
  const ask = (request: typeof code | typeof link) => (address: string) => {
    setFault(null)
    setPrinted(null)
    setEmail(address)
    request.mutate({ body: { email: address } })
  }
  return {
    step,
    email,
    otp,
    fault,
    note: printed === null ? null : printedNote(printed),
    linkSent: link.data?.link_sent === true,
    sending: code.isPending ? 'code' : link.isPending ? 'link' : null,
    verifying: verify.isPending,
    saving: reset.isPending,
    cleared,
    refuse: setFault,
    goTo,
    sendCode: ask(code),
    sendLink: ask(link),
    verifyCode: (typed: string) => {
      setFault(null)
      setOtp(typed)
      verify.mutate({ body: { email, otp: typed } })
    },
    savePassword: (password: string, confirmation: string) => {
      setFault(null)
      reset.mutate({ body: { email, otp, new_password: password, confirm_password: confirmation } })
    },
    restart: () => {
      setEmail('')
      setOtp('')
      setPrinted(null)
      link.reset()
      goTo('email')
    },
  } as const
}

export type Reset = ReturnType<typeof useReset>
