/** For a region that scrolls and holds nothing that takes the focus: the keyboard must reach it to scroll it. */
export const keyboardScrollable = { tabIndex: 0 } as const
