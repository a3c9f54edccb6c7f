[
  (block)
  (parenthesized)
] @fold
