// Package inert makes anybody's words fit to be shown: in a terminal, a page or a drawing.
//
// Shape: text in, text out. What cannot be printed, cannot be seen, changes the direction of what is around it, or is no
// UTF-8, is spelt out, as \u202e; ends of lines stay where they are asked for. What is inert already stays as it is.
// Apart, Middle and Short bound the length; none cuts what is spelt out in two.
// Cost: the length of the text; usual text is looked over and handed back.
// Errors: none; there is no text that cannot be made inert.
// Source: The Unicode Standard, properties Default_Ignorable_Code_Point and Variation_Selector; what Go can print.
package inert
