NAME        nc-smallest
ROWS
 N  NoObj   
 E  r1      
 E  r3      
 E  r4      
 E  r5      
 E  r6      
 E  r8      
 E  r9      
 E  r12     
 E  r13     
 E  r14     
 E  r15     
 E  r20     
 E  r22     
 E  r23     
 E  r24     
 E  r26     
 E  r27     
 E  r28     
 E  r29     
 E  r30     
 E  r31     
 E  r32     
 E  r33     
 E  r34     
 E  r54     
 E  r55     
 E  r64     
 E  r77     
 E  r78     
 E  r87     
 E  r95     
 E  r97     
 G  r112    
 L  r125    
 G  r_ekk138
COLUMNS
    c1        r3        1
    c1        r5        -1
    c2        r4        1
    c2        r6        -1
    c3        r9        1
    c3        r15       -1
    c6        r12       1
    c7        r5        1
    c7        r9        1
    c7        r13       -1
    c8        r6        1
    c8        r12       1
    c8        r14       -1
    c9        r23       1
    c9        r26       -1
    c10       r24       1
    c10       r29       -1
    c12       r13       1
    c12       r20       1
    c12       r26       -1
    c13       r14       1
    c13       r24       1
    c13       r26       -1
    c14       r15       1
    c14       r22       1
    c14       r26       -1
    c15       r15       1
    c15       r23       1
    c15       r27       -1
    c17       r22       1
    c17       r28       -1
    c18       r29       1
    c18       r34       1
    c19       r26       1
    c19       r31       1
    c20       r27       1
    c20       r33       1
    c21       r28       1
    c21       r32       1
    c31       r55       1
    c31       r64       -1
    c62       r64       1
    c62       r78       1
    c62       r87       -1
    c72       r87       1
    c72       r97       1
    MARK0000  'MARKER'                 'INTORG'
    c76       r1        1
    c76       r_ekk138  1
    c77       r1        1
    c77       r3        -1
    c77       r_ekk138  -1
    c78       r1        1
    c78       r4        -1
    c78       r_ekk138  1
    c79       r8        1
    c79       r9        -1
    c79       r112      1
    c79       r_ekk138  -1
    c82       r8        1
    c82       r12       -1
    c82       r_ekk138  1
    c83       r20       -1
    c83       r_ekk138  -1
    c85       r22       -1
    c85       r_ekk138  1
    c86       r23       -1
    c86       r_ekk138  1
    c87       r24       -1
    c87       r_ekk138  1
    c89       r30       1
    c89       r31       -1
    c89       r125      1
    c89       r_ekk138  -1
    c90       r30       1
    c90       r32       -1
    c90       r_ekk138  1
    c91       r30       1
    c91       r33       -1
    c91       r_ekk138  1
    c92       r30       1
    c92       r34       -1
    c92       r_ekk138  1
    c102      r54       1
    c102      r55       -1
    c102      r112      -1
    c102      r_ekk138  -1
    c104      r54       1
    c104      r_ekk138  1
    c110      r77       1
    c110      r78       -1
    c110      r_ekk138  -1
    c117      r77       1
    c117      r_ekk138  1
    c118      r95       1
    c118      r125      1
    c118      r_ekk138  1
    c119      r95       1
    c119      r97       -1
    c119      r_ekk138  -1
    MARK0001  'MARKER'                 'INTEND'
RHS
    RHS_V     r1        1
    RHS_V     r8        1
    RHS_V     r30       1
    RHS_V     r54       1
    RHS_V     r77       1
    RHS_V     r95       1
    RHS_V     r125      1
    RHS_V     r_ekk138  -6
BOUNDS
 UP BOUND     c1        1
 UP BOUND     c2        1
 UP BOUND     c3        1
 UP BOUND     c6        1
 UP BOUND     c7        1
 UP BOUND     c8        1
 UP BOUND     c9        1
 UP BOUND     c10       1
 UP BOUND     c12       1
 UP BOUND     c13       1
 UP BOUND     c14       1
 UP BOUND     c15       1
 UP BOUND     c17       1
 UP BOUND     c18       1
 UP BOUND     c19       1
 UP BOUND     c20       1
 UP BOUND     c21       1
 UP BOUND     c31       1
 UP BOUND     c62       1
 UP BOUND     c72       1
 BV BOUND     c76     
 BV BOUND     c77     
 BV BOUND     c78     
 BV BOUND     c79     
 BV BOUND     c82     
 BV BOUND     c83     
 BV BOUND     c85     
 BV BOUND     c86     
 BV BOUND     c87     
 BV BOUND     c89     
 BV BOUND     c90     
 BV BOUND     c91     
 BV BOUND     c92     
 BV BOUND     c102    
 BV BOUND     c104    
 BV BOUND     c110    
 BV BOUND     c117    
 BV BOUND     c118    
 BV BOUND     c119    
ENDATA
