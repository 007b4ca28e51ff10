type Worded = {
  readonly label: string
  readonly placeholder: string
  readonly validation: { readonly message?: string | undefined }
}

/** Returns a field with its texts in the reader's language; `standard` translates the texts that it knows. */
export function inWords<F extends Worded>(field: F, standard: (text: string) => string): F {
  const { message } = field.validation
  return {
    ...field,
    label: standard(field.label),
    placeholder: standard(field.placeholder),
    validation: { ...field.validation, ...(message === undefined ? {} : { message: standard(message) }) },
  }
}
