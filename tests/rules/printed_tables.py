"""Paytables that several chapters print alike, as the law prints them.

641a.12(h), 679a.12(g), 682a.12(f) and 683a.12(e) have one table for the six-card bonuses; 641a and Maryland share
the Aces Up and the Ante Bonus tables. Hands are of the length the wager is settled with.
"""

SIX_CARD = """
hand                                          | row                     | cards             | A            | B            | C            | D            | E
Six-card royal flush, diamonds                | six_card_royal_diamonds | Ad Kd Qd Jd Td 9d | -            | -            | -            | -            | 200,000 to 1
Six-card royal flush, hearts, spades or clubs | six_card_royal_other    | Th 9h Ah Kh Qh Jh | -            | -            | -            | -            | 20,000 to 1
Six-card royal flush, hearts, spades or clubs | six_card_royal_other    | 9s Ks Qs Js Ts As | -            | -            | -            | -            | 20,000 to 1
Six-card royal flush, hearts, spades or clubs | six_card_royal_other    | Ac Kc 9c Jc Tc Qc | -            | -            | -            | -            | 20,000 to 1
Royal flush                                   | royal_flush             | Ad Kd 2s Jd Td Qd | 1,000 to 1   | 1,000 to 1   | 1,000 to 1   | 1,000 to 1   | 1,000 to 1
Straight flush                                | straight_flush          | Kd 9d Qd Jd Td 8d | 200 to 1     | 200 to 1     | 200 to 1     | 200 to 1     | 200 to 1
Four-of-a-kind                                | four_of_a_kind          | 5s 5h 2d 5d 5c 2h | 50 to 1      | 50 to 1      | 100 to 1     | 100 to 1     | 50 to 1
Full house                                    | full_house              | 7s 7d 7c Jd Js 2h | 25 to 1      | 25 to 1      | 20 to 1      | 20 to 1      | 20 to 1
Flush                                         | flush                   | 2h 9h 3s 6h Kh Jh | 20 to 1      | 15 to 1      | 15 to 1      | 15 to 1      | 15 to 1
Straight                                      | straight                | 4c 8d 5h 6s 7d Ks | 10 to 1      | 10 to 1      | 9 to 1       | 10 to 1      | 10 to 1
Three-of-a-kind                               | three_of_a_kind         | Qs Qd 2h 7c Qc 9s | 5 to 1       | 5 to 1       | 8 to 1       | 7 to 1       | 5 to 1
"""
# Six cards under three of a kind: two pair, a pair of aces, four to a flush, and nothing.
SIX_CARDS_THAT_LOSE = ("Ks Kd 9c 9h 2s 4d", "As Ah 9c 7h 2s 4d", "2h 9h 3s 6h Kh Jc", "As Kd 9c 7h 2s 4d")

ACES_UP = """
hand            | row             | cards          | A       | B       | C       | D       | E       | F
Four-of-a-kind  | four_of_a_kind  | 2s 2h 2d 9c 2c | 50 to 1 | 50 to 1 | 50 to 1 | 50 to 1 | 50 to 1 | 50 to 1
Straight flush  | straight_flush  | 5d 6d 7d Ks 8d | 30 to 1 | 30 to 1 | 40 to 1 | 40 to 1 | 30 to 1 | 40 to 1
Three-of-a-kind | three_of_a_kind | Ts Th 4d Tc 4h | 9 to 1  | 7 to 1  | 8 to 1  | 8 to 1  | 8 to 1  | 7 to 1
Flush           | flush           | 3s 8s Qs 9h 5s | 6 to 1  | 6 to 1  | 5 to 1  | 6 to 1  | 6 to 1  | 5 to 1
Straight        | straight        | 9c Ts 9d Jh Qd | 4 to 1  | 5 to 1  | 4 to 1  | 4 to 1  | 4 to 1  | 4 to 1
Two pair        | two_pair        | 3s 3d Ah 5c 5d | 2 to 1  | 2 to 1  | 3 to 1  | 2 to 1  | 2 to 1  | 3 to 1
Pair of aces    | pair_of_aces    | As 9c 7h Ad 2s | 1 to 1  | 1 to 1  | 1 to 1  | 1 to 1  | 1 to 1  | 1 to 1
"""
# A pair of kings, and nothing with an ace.
ACES_UP_THAT_LOSE = ("Ks 9c 7h Kd 2s", "As 9c 7h Kd 2s")

ANTE_BONUS = """
hand            | row             | cards          | only
Four-of-a-kind  | four_of_a_kind  | 2s 2h 2d 9c 2c | 25 to 1
Straight flush  | straight_flush  | 5d 6d 7d Ks 8d | 20 to 1
Three-of-a-kind | three_of_a_kind | Ts Th 4d Tc 4h | 2 to 1
"""

FOUR_CARD_PROGRESSIVE = """
hand            | row             | cards          | A             | B
Four aces       | four_aces       | As Ah Ad Ac 9d | 100% of meter | 100% of meter
Four-of-a-kind  | four_of_a_kind  | Ks Kh Kd Kc As | 300 for 1     | 300 for 1
Straight flush  | straight_flush  | 2c 3c Ac 4c 4d | 100 for 1     | 100 for 1
Three-of-a-kind | three_of_a_kind | 2s 2h 2d As Ad | 9 for 1       | 15 for 1
"""
# A flush, a straight, two pair and a pair of aces win nothing on a progressive of four cards.
UNDER_THREE_OF_A_KIND = ("2s 5s 9s Ks Ad", "9c Ts 2d Jh Qd", "3s 3d Ah 5c 5d", "As 9c 7h Ad 2s")

FOUR_CARD_ENVY_1 = """
$1              | row             | cards          | A    | B
Four aces       | four_aces       | As Ah Ad Ac 9d | $100 | $100
Four-of-a-kind  | four_of_a_kind  | Ks Kh Kd Kc As | $10  | $25
Straight flush  | straight_flush  | 2c 3c Ac 4c 4d | $5   | -
Three-of-a-kind | three_of_a_kind | 2s 2h 2d As Ad | -    | -
"""
FOUR_CARD_ENVY_5 = """
$5              | row             | cards          | A    | B
Four aces       | four_aces       | As Ah Ad Ac 9d | $500 | $500
Four-of-a-kind  | four_of_a_kind  | Ks Kh Kd Kc As | $50  | $125
Straight flush  | straight_flush  | 2c 3c Ac 4c 4d | $25  | -
Three-of-a-kind | three_of_a_kind | 2s 2h 2d As Ad | -    | -
"""
