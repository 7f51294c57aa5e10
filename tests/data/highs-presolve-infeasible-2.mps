NAME        
ROWS
 N  NoObj   
 E  r0      
 E  r1      
 E  r2      
 E  r3      
 E  r4      
 E  r5      
 E  r6      
 E  r7      
 E  r8      
 E  r9      
 E  r10     
 E  r11     
 E  r12     
 E  r13     
 E  r14     
 E  r15     
 E  r16     
 E  r17     
 E  r18     
 E  r19     
 E  r20     
 E  r21     
 E  r22     
 E  r23     
 E  r24     
 E  r25     
 E  r26     
 E  r27     
 E  r28     
 E  r29     
 E  r30     
 E  r31     
 E  r32     
 E  r33     
 E  r34     
 E  r35     
 E  r36     
 E  r37     
 E  r38     
 E  r39     
 E  r40     
 E  r41     
 E  r42     
 E  r43     
 E  r44     
 E  r45     
 E  r46     
 E  r47     
 E  r48     
 E  r49     
 E  r50     
 E  r51     
 E  r52     
 E  r53     
 E  r54     
 E  r55     
 E  r56     
 E  r57     
 E  r58     
 E  r59     
 E  r60     
 E  r61     
 E  r62     
 E  r63     
 E  r64     
 E  r65     
 E  r66     
 E  r67     
 E  r68     
 E  r69     
 E  r70     
 E  r71     
 E  r72     
 E  r73     
 E  r74     
 E  r75     
 E  r76     
 E  r77     
 E  r78     
 E  r79     
 E  r80     
 E  r81     
 E  r82     
 E  r83     
 E  r84     
 E  r85     
 E  r86     
 E  r87     
 E  r88     
 E  r89     
 E  r90     
 E  r91     
 E  r92     
 E  r93     
 E  r94     
 E  r95     
 E  r96     
 E  r97     
 E  r98     
 E  r99     
 E  r100    
 E  r101    
 E  r102    
 E  r103    
 E  r104    
 E  r105    
 E  r106    
 E  r107    
 E  r108    
 E  r109    
 E  r110    
 E  r111    
 E  r112    
 E  r113    
 E  r114    
 E  r115    
 E  r116    
 E  r117    
 E  r118    
 E  r119    
 E  r120    
 E  r121    
 E  r122    
 E  r123    
 E  r124    
 E  r125    
 E  r126    
 E  r127    
 E  r128    
 E  r129    
 E  r130    
 E  r131    
 E  r132    
 E  r133    
 E  r134    
 E  r135    
 E  r136    
 E  r137    
 E  r138    
 E  r139    
 E  r140    
 E  r141    
 E  r142    
 E  r143    
 L  r144    
 G  r145    
 G  r146    
 G  r147    
 G  r148    
 G  r149    
 G  r150    
 G  r151    
 G  r152    
 G  r153    
 G  r154    
 G  r155    
 G  r156    
 G  r157    
 G  r158    
 G  r159    
 G  r160    
 G  r161    
 G  r162    
 G  r163    
 G  r164    
 G  r165    
 G  r166    
 G  r167    
 G  r168    
 G  r169    
 G  r170    
 G  r171    
 G  r172    
 G  r173    
 G  r174    
 G  r175    
 L  r176    
 L  r177    
 L  r178    
 G  r179    
 G  r180    
 G  r181    
 G  r182    
 G  r183    
 G  r184    
 G  r185    
 G  r186    
 G  r187    
 G  r188    
 G  r189    
 G  r190    
 G  r191    
 G  r192    
 G  r193    
 G  r194    
 G  r195    
 G  r196    
COLUMNS
    c0        r0        1
    c0        r2        1
    c0        r17       -1
    c1        r0        1
    c1        r3        1
    c1        r10       -1
    c2        r0        1
    c2        r4        1
    c2        r11       -1
    c3        r0        1
    c3        r5        1
    c3        r12       -1
    c4        r0        1
    c4        r6        1
    c4        r13       -1
    c5        r0        1
    c5        r7        1
    c5        r14       -1
    c6        r0        1
    c6        r8        1
    c6        r15       -1
    c7        r0        1
    c7        r9        1
    c7        r16       -1
    c8        r13       1
    c8        r19       1
    c8        r30       -1
    c9        r14       1
    c9        r20       1
    c9        r27       -1
    c10       r14       1
    c10       r22       1
    c10       r28       -1
    c11       r15       1
    c11       r21       1
    c11       r29       -1
    c12       r16       1
    c12       r20       1
    c12       r28       -1
    c13       r17       1
    c13       r26       1
    c13       r29       -1
    c14       r10       1
    c14       r23       1
    c14       r27       -1
    c15       r10       1
    c15       r25       1
    c15       r28       -1
    c16       r11       1
    c16       r24       1
    c16       r29       -1
    c17       r12       1
    c17       r23       1
    c17       r28       -1
    c18       r30       1
    c18       r34       1
    c18       r35       -1
    c19       r27       1
    c19       r33       1
    c19       r35       -1
    c20       r28       1
    c20       r32       1
    c20       r36       -1
    c21       r29       1
    c21       r32       1
    c21       r37       -1
    c22       r35       1
    c22       r39       1
    c23       r36       1
    c23       r40       1
    c24       r37       1
    c24       r39       1
    c25       r37       1
    c25       r40       1
    c26       r41       1
    c26       r43       1
    c26       r60       -1
    c27       r41       1
    c27       r44       1
    c27       r52       -1
    c28       r41       1
    c28       r45       1
    c28       r53       -1
    c29       r41       1
    c29       r46       1
    c29       r54       -1
    c30       r41       1
    c30       r47       1
    c30       r55       -1
    c31       r41       1
    c31       r48       1
    c31       r56       -1
    c32       r41       1
    c32       r49       1
    c32       r57       -1
    c33       r41       1
    c33       r50       1
    c33       r58       -1
    c34       r41       1
    c34       r51       1
    c34       r59       -1
    c35       r52       1
    c35       r63       1
    c35       r70       -1
    c36       r52       1
    c36       r64       1
    c36       r71       -1
    c37       r52       1
    c37       r65       1
    c37       r72       -1
    c38       r52       1
    c38       r66       1
    c38       r73       -1
    c39       r52       1
    c39       r67       1
    c39       r74       -1
    c40       r52       1
    c40       r68       1
    c40       r75       -1
    c41       r52       1
    c41       r69       1
    c41       r76       -1
    c42       r53       1
    c42       r62       1
    c42       r77       -1
    c43       r53       1
    c43       r64       1
    c43       r78       -1
    c44       r53       1
    c44       r65       1
    c44       r79       -1
    c45       r53       1
    c45       r66       1
    c45       r80       -1
    c46       r53       1
    c46       r67       1
    c46       r81       -1
    c47       r53       1
    c47       r68       1
    c47       r82       -1
    c48       r53       1
    c48       r69       1
    c48       r83       -1
    c49       r54       1
    c49       r62       1
    c49       r84       -1
    c50       r54       1
    c50       r63       1
    c50       r85       -1
    c51       r54       1
    c51       r65       1
    c51       r86       -1
    c52       r54       1
    c52       r66       1
    c52       r87       -1
    c53       r54       1
    c53       r67       1
    c53       r88       -1
    c54       r54       1
    c54       r68       1
    c54       r89       -1
    c55       r54       1
    c55       r69       1
    c55       r90       -1
    c56       r55       1
    c56       r62       1
    c56       r91       -1
    c57       r55       1
    c57       r63       1
    c57       r92       -1
    c58       r55       1
    c58       r64       1
    c58       r93       -1
    c59       r55       1
    c59       r66       1
    c59       r94       -1
    c60       r55       1
    c60       r67       1
    c60       r95       -1
    c61       r55       1
    c61       r68       1
    c61       r96       -1
    c62       r55       1
    c62       r69       1
    c62       r97       -1
    c63       r56       1
    c63       r62       1
    c63       r98       -1
    c64       r56       1
    c64       r63       1
    c64       r70       -1
    c65       r56       1
    c65       r64       1
    c65       r71       -1
    c66       r56       1
    c66       r65       1
    c66       r72       -1
    c67       r56       1
    c67       r67       1
    c67       r99       -1
    c68       r56       1
    c68       r68       1
    c68       r75       -1
    c69       r56       1
    c69       r69       1
    c69       r100      -1
    c70       r57       1
    c70       r62       1
    c70       r101      -1
    c71       r57       1
    c71       r63       1
    c71       r102      -1
    c72       r57       1
    c72       r64       1
    c72       r103      -1
    c73       r57       1
    c73       r65       1
    c73       r79       -1
    c74       r57       1
    c74       r66       1
    c74       r80       -1
    c75       r57       1
    c75       r68       1
    c75       r82       -1
    c76       r57       1
    c76       r69       1
    c76       r104      -1
    c77       r58       1
    c77       r62       1
    c77       r105      -1
    c78       r58       1
    c78       r63       1
    c78       r85       -1
    c79       r58       1
    c79       r64       1
    c79       r106      -1
    c80       r58       1
    c80       r65       1
    c80       r86       -1
    c81       r58       1
    c81       r66       1
    c81       r87       -1
    c82       r58       1
    c82       r67       1
    c82       r107      -1
    c83       r58       1
    c83       r69       1
    c83       r90       -1
    c84       r59       1
    c84       r62       1
    c84       r108      -1
    c85       r59       1
    c85       r63       1
    c85       r92       -1
    c86       r59       1
    c86       r64       1
    c86       r109      -1
    c87       r59       1
    c87       r65       1
    c87       r110      -1
    c88       r59       1
    c88       r66       1
    c88       r94       -1
    c89       r59       1
    c89       r67       1
    c89       r95       -1
    c90       r59       1
    c90       r68       1
    c90       r96       -1
    c91       r60       1
    c91       r62       1
    c91       r111      -1
    c92       r60       1
    c92       r63       1
    c92       r70       -1
    c93       r60       1
    c93       r64       1
    c93       r71       -1
    c94       r60       1
    c94       r65       1
    c94       r72       -1
    c95       r60       1
    c95       r66       1
    c95       r73       -1
    c96       r60       1
    c96       r67       1
    c96       r74       -1
    c97       r60       1
    c97       r68       1
    c97       r75       -1
    c98       r60       1
    c98       r69       1
    c98       r76       -1
    c99       r75       1
    c99       r119      1
    c99       r124      -1
    c100      r76       1
    c100      r120      1
    c100      r125      -1
    c101      r77       1
    c101      r113      1
    c101      r126      -1
    c102      r78       1
    c102      r115      1
    c102      r127      -1
    c103      r79       1
    c103      r116      1
    c103      r128      -1
    c104      r80       1
    c104      r117      1
    c104      r129      -1
    c105      r81       1
    c105      r118      1
    c105      r127      -1
    c106      r82       1
    c106      r119      1
    c106      r127      -1
    c107      r83       1
    c107      r120      1
    c107      r128      -1
    c108      r84       1
    c108      r113      1
    c108      r130      -1
    c109      r85       1
    c109      r114      1
    c109      r128      -1
    c110      r70       1
    c110      r114      1
    c110      r121      -1
    c111      r86       1
    c111      r116      1
    c111      r131      -1
    c112      r87       1
    c112      r117      1
    c112      r127      -1
    c113      r88       1
    c113      r118      1
    c113      r132      -1
    c114      r89       1
    c114      r119      1
    c114      r128      -1
    c115      r90       1
    c115      r120      1
    c115      r130      -1
    c116      r91       1
    c116      r113      1
    c116      r121      -1
    c117      r92       1
    c117      r114      1
    c117      r133      -1
    c118      r93       1
    c118      r115      1
    c118      r123      -1
    c119      r94       1
    c119      r117      1
    c119      r121      -1
    c120      r95       1
    c120      r118      1
    c120      r125      -1
    c121      r96       1
    c121      r119      1
    c121      r123      -1
    c122      r97       1
    c122      r120      1
    c122      r121      -1
    c123      r98       1
    c123      r113      1
    c123      r123      -1
    c124      r99       1
    c124      r118      1
    c124      r121      -1
    c125      r100      1
    c125      r120      1
    c125      r123      -1
    c126      r71       1
    c126      r115      1
    c126      r122      -1
    c127      r101      1
    c127      r113      1
    c127      r132      -1
    c128      r102      1
    c128      r114      1
    c128      r127      -1
    c129      r103      1
    c129      r115      1
    c129      r130      -1
    c130      r104      1
    c130      r120      1
    c130      r132      -1
    c131      r105      1
    c131      r113      1
    c131      r127      -1
    c132      r106      1
    c132      r115      1
    c132      r128      -1
    c133      r107      1
    c133      r118      1
    c133      r128      -1
    c134      r108      1
    c134      r113      1
    c134      r122      -1
    c135      r109      1
    c135      r115      1
    c135      r125      -1
    c136      r110      1
    c136      r116      1
    c136      r121      -1
    c137      r111      1
    c137      r113      1
    c137      r125      -1
    c138      r72       1
    c138      r116      1
    c138      r123      -1
    c139      r73       1
    c139      r117      1
    c139      r123      -1
    c140      r74       1
    c140      r118      1
    c140      r122      -1
    c141      r125      1
    c141      r137      1
    c142      r126      1
    c142      r135      1
    c143      r126      1
    c143      r140      1
    c144      r127      1
    c144      r139      1
    c145      r127      1
    c145      r143      1
    c146      r128      1
    c146      r135      1
    c147      r128      1
    c147      r136      1
    c148      r128      1
    c148      r140      1
    c149      r121      1
    c149      r138      1
    c150      r121      1
    c150      r142      1
    c151      r129      1
    c151      r135      1
    c152      r129      1
    c152      r136      1
    c153      r130      1
    c153      r139      1
    c154      r131      1
    c154      r143      1
    c155      r132      1
    c155      r140      1
    c156      r133      1
    c156      r141      1
    c157      r122      1
    c157      r142      1
    c158      r123      1
    c158      r137      1
    c159      r123      1
    c159      r141      1
    c160      r124      1
    c160      r138      1
    MARK0000  'MARKER'                 'INTORG'
    c161      r1        1
    c161      r2        -1
    c161      r144      1
    c161      r152      1
    c161      r153      1
    c161      r154      1
    c161      r155      1
    c161      r156      1
    c161      r157      1
    c161      r158      1
    c161      r159      1
    c161      r188      1
    c161      r189      1
    c161      r190      1
    c161      r191      1
    c161      r192      1
    c161      r193      1
    c161      r194      1
    c161      r195      1
    c161      r196      1
    c162      r1        1
    c162      r3        -1
    c162      r145      -1
    c162      r152      1
    c162      r188      1
    c162      r189      1
    c162      r190      1
    c162      r191      1
    c162      r192      1
    c162      r193      1
    c162      r194      1
    c162      r195      1
    c162      r196      1
    c163      r1        1
    c163      r4        -1
    c163      r146      -1
    c163      r153      1
    c163      r188      -1
    c163      r189      -1
    c163      r190      1
    c163      r191      -1
    c163      r192      1
    c163      r193      1
    c163      r194      1
    c163      r195      -1
    c163      r196      1
    c164      r1        1
    c164      r5        -1
    c164      r147      -1
    c164      r154      1
    c164      r188      1
    c164      r189      1
    c164      r190      1
    c164      r191      1
    c164      r192      1
    c164      r193      1
    c164      r194      1
    c164      r195      1
    c164      r196      1
    c165      r1        1
    c165      r6        -1
    c165      r148      -1
    c165      r155      1
    c165      r188      1
    c165      r189      1
    c165      r190      1
    c165      r191      1
    c165      r192      1
    c165      r193      1
    c165      r194      1
    c165      r195      1
    c165      r196      1
    c166      r1        1
    c166      r7        -1
    c166      r149      -1
    c166      r188      1
    c166      r189      1
    c166      r190      -1
    c166      r191      1
    c166      r192      1
    c166      r193      1
    c166      r194      1
    c166      r195      1
    c166      r196      1
    c167      r1        1
    c167      r8        -1
    c167      r150      -1
    c167      r156      1
    c167      r188      1
    c167      r189      1
    c167      r190      1
    c167      r191      1
    c167      r192      -1
    c167      r193      -1
    c167      r194      -1
    c167      r195      1
    c167      r196      -1
    c168      r1        1
    c168      r9        -1
    c168      r151      -1
    c168      r157      1
    c168      r188      1
    c168      r189      1
    c168      r190      1
    c168      r191      1
    c168      r192      1
    c168      r193      1
    c168      r194      1
    c168      r195      1
    c168      r196      1
    c169      r18       1
    c169      r19       -1
    c169      r160      -1
    c169      r188      1
    c169      r189      1
    c169      r190      1
    c169      r191      1
    c169      r192      1
    c169      r193      1
    c169      r194      1
    c169      r195      1
    c169      r196      1
    c170      r18       1
    c170      r20       -1
    c170      r161      -1
    c170      r168      1
    c170      r188      1
    c170      r189      1
    c170      r190      -1
    c170      r191      1
    c170      r192      1
    c170      r193      1
    c170      r194      1
    c170      r195      1
    c170      r196      1
    c171      r18       1
    c171      r21       -1
    c171      r162      -1
    c171      r169      1
    c171      r188      1
    c171      r189      1
    c171      r190      1
    c171      r191      1
    c171      r192      -1
    c171      r193      -1
    c171      r194      -1
    c171      r195      1
    c171      r196      -1
    c172      r18       1
    c172      r22       -1
    c172      r163      -1
    c172      r170      1
    c172      r188      1
    c172      r189      1
    c172      r190      1
    c172      r191      1
    c172      r192      1
    c172      r193      1
    c172      r194      1
    c172      r195      1
    c172      r196      1
    c173      r18       1
    c173      r23       -1
    c173      r164      -1
    c173      r188      1
    c173      r189      1
    c173      r190      1
    c173      r191      1
    c173      r192      1
    c173      r193      1
    c173      r194      1
    c173      r195      1
    c173      r196      1
    c174      r18       1
    c174      r24       -1
    c174      r165      -1
    c174      r172      1
    c174      r188      -1
    c174      r189      -1
    c174      r190      1
    c174      r191      -1
    c174      r192      1
    c174      r193      1
    c174      r194      1
    c174      r195      -1
    c174      r196      1
    c175      r18       1
    c175      r25       -1
    c175      r166      -1
    c175      r173      1
    c175      r188      1
    c175      r189      1
    c175      r190      1
    c175      r191      1
    c175      r192      1
    c175      r193      1
    c175      r194      1
    c175      r195      1
    c175      r196      1
    c176      r18       1
    c176      r26       -1
    c176      r167      -1
    c176      r174      1
    c176      r188      1
    c176      r189      1
    c176      r190      1
    c176      r191      1
    c176      r192      1
    c176      r193      1
    c176      r194      1
    c176      r195      1
    c176      r196      1
    c177      r31       1
    c177      r32       -1
    c177      r188      -1
    c177      r189      -1
    c177      r190      1
    c177      r191      -1
    c177      r192      -1
    c177      r193      -1
    c177      r194      -1
    c177      r195      -1
    c177      r196      -1
    c178      r31       1
    c178      r33       -1
    c178      r176      1
    c178      r188      1
    c178      r189      1
    c178      r190      -1
    c178      r191      1
    c178      r192      1
    c178      r193      1
    c178      r194      1
    c178      r195      1
    c178      r196      1
    c179      r31       1
    c179      r34       -1
    c179      r177      1
    c179      r188      1
    c179      r189      1
    c179      r190      1
    c179      r191      1
    c179      r192      1
    c179      r193      1
    c179      r194      1
    c179      r195      1
    c179      r196      1
    c180      r38       1
    c180      r39       -1
    c180      r178      1
    c180      r180      1
    c180      r181      1
    c180      r182      1
    c180      r183      1
    c180      r184      1
    c180      r185      1
    c180      r186      1
    c180      r187      1
    c180      r188      1
    c180      r189      -1
    c180      r190      -1
    c180      r191      -1
    c180      r192      -1
    c180      r193      -1
    c180      r194      -1
    c180      r195      -1
    c180      r196      -1
    c181      r38       1
    c181      r40       -1
    c181      r179      -1
    c181      r188      -1
    c181      r189      1
    c181      r190      1
    c181      r191      1
    c181      r192      1
    c181      r193      1
    c181      r194      1
    c181      r195      1
    c181      r196      1
    c182      r42       1
    c182      r43       -1
    c182      r144      1
    c182      r145      1
    c182      r146      1
    c182      r147      1
    c182      r148      1
    c182      r149      1
    c182      r150      1
    c182      r151      1
    c182      r188      1
    c182      r189      1
    c182      r190      -1
    c182      r191      -1
    c182      r192      1
    c182      r193      -1
    c182      r194      1
    c182      r195      -1
    c182      r196      -1
    c183      r42       1
    c183      r44       -1
    c183      r145      1
    c183      r152      -1
    c183      r188      1
    c183      r189      1
    c183      r190      1
    c183      r191      1
    c183      r192      1
    c183      r193      1
    c183      r194      1
    c183      r195      1
    c183      r196      1
    c184      r42       1
    c184      r45       -1
    c184      r146      1
    c184      r153      -1
    c184      r188      -1
    c184      r189      -1
    c184      r190      1
    c184      r191      1
    c184      r192      1
    c184      r193      1
    c184      r194      1
    c184      r195      1
    c184      r196      1
    c185      r42       1
    c185      r46       -1
    c185      r147      1
    c185      r154      -1
    c185      r188      1
    c185      r189      1
    c185      r190      1
    c185      r191      1
    c185      r192      1
    c185      r193      1
    c185      r194      1
    c185      r195      1
    c185      r196      1
    c186      r42       1
    c186      r47       -1
    c186      r148      1
    c186      r155      -1
    c186      r188      1
    c186      r189      1
    c186      r190      1
    c186      r191      1
    c186      r192      1
    c186      r193      1
    c186      r194      1
    c186      r195      1
    c186      r196      1
    c187      r42       1
    c187      r48       -1
    c187      r150      1
    c187      r156      -1
    c187      r188      1
    c187      r189      1
    c187      r190      1
    c187      r191      1
    c187      r192      -1
    c187      r193      1
    c187      r194      -1
    c187      r195      1
    c187      r196      1
    c188      r42       1
    c188      r49       -1
    c188      r151      1
    c188      r157      -1
    c188      r188      1
    c188      r189      1
    c188      r190      1
    c188      r191      1
    c188      r192      1
    c188      r193      1
    c188      r194      1
    c188      r195      1
    c188      r196      1
    c189      r42       1
    c189      r50       -1
    c189      r158      -1
    c189      r188      1
    c189      r189      1
    c189      r190      1
    c189      r191      1
    c189      r192      1
    c189      r193      1
    c189      r194      1
    c189      r195      1
    c189      r196      1
    c190      r42       1
    c190      r51       -1
    c190      r159      -1
    c190      r188      1
    c190      r189      1
    c190      r190      1
    c190      r191      1
    c190      r192      1
    c190      r193      1
    c190      r194      1
    c190      r195      1
    c190      r196      1
    c191      r61       1
    c191      r62       -1
    c191      r161      1
    c191      r168      -1
    c191      r188      1
    c191      r189      1
    c191      r190      -1
    c191      r191      1
    c191      r192      1
    c191      r193      1
    c191      r194      1
    c191      r195      1
    c191      r196      1
    c192      r61       1
    c192      r63       -1
    c192      r162      1
    c192      r169      -1
    c192      r188      1
    c192      r189      1
    c192      r190      1
    c192      r191      1
    c192      r192      -1
    c192      r193      -1
    c192      r194      -1
    c192      r195      1
    c192      r196      -1
    c193      r61       1
    c193      r64       -1
    c193      r163      1
    c193      r170      -1
    c193      r188      1
    c193      r189      1
    c193      r190      1
    c193      r191      1
    c193      r192      1
    c193      r193      1
    c193      r194      1
    c193      r195      1
    c193      r196      1
    c194      r61       1
    c194      r65       -1
    c194      r171      -1
    c194      r188      1
    c194      r189      1
    c194      r190      1
    c194      r191      1
    c194      r192      1
    c194      r193      1
    c194      r194      1
    c194      r195      1
    c194      r196      1
    c195      r61       1
    c195      r66       -1
    c195      r165      1
    c195      r172      -1
    c195      r188      -1
    c195      r189      -1
    c195      r190      1
    c195      r191      -1
    c195      r192      1
    c195      r193      1
    c195      r194      1
    c195      r195      -1
    c195      r196      1
    c196      r61       1
    c196      r67       -1
    c196      r166      1
    c196      r173      -1
    c196      r188      1
    c196      r189      1
    c196      r190      1
    c196      r191      1
    c196      r192      1
    c196      r193      1
    c196      r194      1
    c196      r195      1
    c196      r196      1
    c197      r61       1
    c197      r68       -1
    c197      r167      1
    c197      r174      -1
    c197      r188      1
    c197      r189      1
    c197      r190      1
    c197      r191      1
    c197      r192      1
    c197      r193      1
    c197      r194      1
    c197      r195      1
    c197      r196      1
    c198      r61       1
    c198      r69       -1
    c198      r175      -1
    c198      r188      1
    c198      r189      1
    c198      r190      1
    c198      r191      1
    c198      r192      1
    c198      r193      1
    c198      r194      1
    c198      r195      1
    c198      r196      1
    c199      r112      1
    c199      r113      -1
    c199      r188      1
    c199      r189      1
    c199      r190      -1
    c199      r191      1
    c199      r192      1
    c199      r193      1
    c199      r194      1
    c199      r195      1
    c199      r196      1
    c200      r112      1
    c200      r114      -1
    c200      r176      1
    c200      r188      1
    c200      r189      1
    c200      r190      1
    c200      r191      1
    c200      r192      -1
    c200      r193      -1
    c200      r194      -1
    c200      r195      1
    c200      r196      -1
    c201      r112      1
    c201      r115      -1
    c201      r188      1
    c201      r189      1
    c201      r190      1
    c201      r191      1
    c201      r192      1
    c201      r193      1
    c201      r194      1
    c201      r195      1
    c201      r196      1
    c202      r112      1
    c202      r116      -1
    c202      r177      1
    c202      r188      1
    c202      r189      1
    c202      r190      1
    c202      r191      1
    c202      r192      1
    c202      r193      1
    c202      r194      1
    c202      r195      1
    c202      r196      1
    c203      r112      1
    c203      r117      -1
    c203      r188      -1
    c203      r189      -1
    c203      r190      1
    c203      r191      -1
    c203      r192      1
    c203      r193      1
    c203      r194      1
    c203      r195      -1
    c203      r196      1
    c204      r112      1
    c204      r118      -1
    c204      r188      1
    c204      r189      1
    c204      r190      1
    c204      r191      1
    c204      r192      1
    c204      r193      1
    c204      r194      1
    c204      r195      1
    c204      r196      1
    c205      r112      1
    c205      r119      -1
    c205      r188      1
    c205      r189      1
    c205      r190      1
    c205      r191      1
    c205      r192      1
    c205      r193      1
    c205      r194      1
    c205      r195      1
    c205      r196      1
    c206      r112      1
    c206      r120      -1
    c206      r188      1
    c206      r189      1
    c206      r190      1
    c206      r191      1
    c206      r192      1
    c206      r193      1
    c206      r194      1
    c206      r195      1
    c206      r196      1
    c207      r134      1
    c207      r135      -1
    c207      r178      1
    c207      r179      1
    c207      r188      -1
    c207      r189      1
    c207      r190      1
    c207      r191      1
    c207      r192      1
    c207      r193      1
    c207      r194      1
    c207      r195      1
    c207      r196      1
    c208      r134      1
    c208      r136      -1
    c208      r180      -1
    c208      r188      1
    c208      r189      -1
    c208      r190      1
    c208      r191      1
    c208      r192      1
    c208      r193      1
    c208      r194      1
    c208      r195      1
    c208      r196      1
    c209      r134      1
    c209      r137      -1
    c209      r181      -1
    c209      r188      1
    c209      r189      1
    c209      r190      -1
    c209      r191      -1
    c209      r192      1
    c209      r193      1
    c209      r194      1
    c209      r195      1
    c209      r196      1
    c210      r134      1
    c210      r138      -1
    c210      r182      -1
    c210      r188      1
    c210      r189      1
    c210      r190      1
    c210      r191      1
    c210      r192      1
    c210      r193      1
    c210      r194      -1
    c210      r195      1
    c210      r196      -1
    c211      r134      1
    c211      r139      -1
    c211      r183      -1
    c211      r188      1
    c211      r189      1
    c211      r190      1
    c211      r191      1
    c211      r192      1
    c211      r193      1
    c211      r194      1
    c211      r195      1
    c211      r196      1
    c212      r134      1
    c212      r140      -1
    c212      r184      -1
    c212      r188      1
    c212      r189      1
    c212      r190      1
    c212      r191      1
    c212      r192      1
    c212      r193      1
    c212      r194      1
    c212      r195      1
    c212      r196      1
    c213      r134      1
    c213      r141      -1
    c213      r185      -1
    c213      r188      1
    c213      r189      1
    c213      r190      1
    c213      r191      1
    c213      r192      1
    c213      r193      1
    c213      r194      1
    c213      r195      -1
    c213      r196      1
    c214      r134      1
    c214      r142      -1
    c214      r186      -1
    c214      r188      1
    c214      r189      1
    c214      r190      1
    c214      r191      1
    c214      r192      -1
    c214      r193      -1
    c214      r194      1
    c214      r195      1
    c214      r196      1
    c215      r134      1
    c215      r143      -1
    c215      r187      -1
    c215      r188      1
    c215      r189      1
    c215      r190      1
    c215      r191      1
    c215      r192      1
    c215      r193      1
    c215      r194      1
    c215      r195      1
    c215      r196      1
    MARK0001  'MARKER'                 'INTEND'
RHS
    RHS_V     r0        1
    RHS_V     r1        1
    RHS_V     r18       1
    RHS_V     r31       1
    RHS_V     r38       1
    RHS_V     r41       1
    RHS_V     r42       1
    RHS_V     r61       1
    RHS_V     r112      1
    RHS_V     r134      1
    RHS_V     r144      1
    RHS_V     r176      1
    RHS_V     r177      1
    RHS_V     r178      1
    RHS_V     r188      -7
    RHS_V     r189      -7
    RHS_V     r190      -7
    RHS_V     r191      -7
    RHS_V     r192      -7
    RHS_V     r193      -7
    RHS_V     r194      -7
    RHS_V     r195      -7
    RHS_V     r196      -7
BOUNDS
 UP BOUND     c0        1
 UP BOUND     c1        1
 UP BOUND     c2        1
 UP BOUND     c3        1
 UP BOUND     c4        1
 UP BOUND     c5        1
 UP BOUND     c6        1
 UP BOUND     c7        1
 UP BOUND     c8        1
 UP BOUND     c9        1
 UP BOUND     c10       1
 UP BOUND     c11       1
 UP BOUND     c12       1
 UP BOUND     c13       1
 UP BOUND     c14       1
 UP BOUND     c15       1
 UP BOUND     c16       1
 UP BOUND     c17       1
 UP BOUND     c18       1
 UP BOUND     c19       1
 UP BOUND     c20       1
 UP BOUND     c21       1
 UP BOUND     c22       1
 UP BOUND     c23       1
 UP BOUND     c24       1
 UP BOUND     c25       1
 UP BOUND     c26       1
 UP BOUND     c27       1
 UP BOUND     c28       1
 UP BOUND     c29       1
 UP BOUND     c30       1
 UP BOUND     c31       1
 UP BOUND     c32       1
 UP BOUND     c33       1
 UP BOUND     c34       1
 UP BOUND     c35       1
 UP BOUND     c36       1
 UP BOUND     c37       1
 UP BOUND     c38       1
 UP BOUND     c39       1
 UP BOUND     c40       1
 UP BOUND     c41       1
 UP BOUND     c42       1
 UP BOUND     c43       1
 UP BOUND     c44       1
 UP BOUND     c45       1
 UP BOUND     c46       1
 UP BOUND     c47       1
 UP BOUND     c48       1
 UP BOUND     c49       1
 UP BOUND     c50       1
 UP BOUND     c51       1
 UP BOUND     c52       1
 UP BOUND     c53       1
 UP BOUND     c54       1
 UP BOUND     c55       1
 UP BOUND     c56       1
 UP BOUND     c57       1
 UP BOUND     c58       1
 UP BOUND     c59       1
 UP BOUND     c60       1
 UP BOUND     c61       1
 UP BOUND     c62       1
 UP BOUND     c63       1
 UP BOUND     c64       1
 UP BOUND     c65       1
 UP BOUND     c66       1
 UP BOUND     c67       1
 UP BOUND     c68       1
 UP BOUND     c69       1
 UP BOUND     c70       1
 UP BOUND     c71       1
 UP BOUND     c72       1
 UP BOUND     c73       1
 UP BOUND     c74       1
 UP BOUND     c75       1
 UP BOUND     c76       1
 UP BOUND     c77       1
 UP BOUND     c78       1
 UP BOUND     c79       1
 UP BOUND     c80       1
 UP BOUND     c81       1
 UP BOUND     c82       1
 UP BOUND     c83       1
 UP BOUND     c84       1
 UP BOUND     c85       1
 UP BOUND     c86       1
 UP BOUND     c87       1
 UP BOUND     c88       1
 UP BOUND     c89       1
 UP BOUND     c90       1
 UP BOUND     c91       1
 UP BOUND     c92       1
 UP BOUND     c93       1
 UP BOUND     c94       1
 UP BOUND     c95       1
 UP BOUND     c96       1
 UP BOUND     c97       1
 UP BOUND     c98       1
 UP BOUND     c99       1
 UP BOUND     c100      1
 UP BOUND     c101      1
 UP BOUND     c102      1
 UP BOUND     c103      1
 UP BOUND     c104      1
 UP BOUND     c105      1
 UP BOUND     c106      1
 UP BOUND     c107      1
 UP BOUND     c108      1
 UP BOUND     c109      1
 UP BOUND     c110      1
 UP BOUND     c111      1
 UP BOUND     c112      1
 UP BOUND     c113      1
 UP BOUND     c114      1
 UP BOUND     c115      1
 UP BOUND     c116      1
 UP BOUND     c117      1
 UP BOUND     c118      1
 UP BOUND     c119      1
 UP BOUND     c120      1
 UP BOUND     c121      1
 UP BOUND     c122      1
 UP BOUND     c123      1
 UP BOUND     c124      1
 UP BOUND     c125      1
 UP BOUND     c126      1
 UP BOUND     c127      1
 UP BOUND     c128      1
 UP BOUND     c129      1
 UP BOUND     c130      1
 UP BOUND     c131      1
 UP BOUND     c132      1
 UP BOUND     c133      1
 UP BOUND     c134      1
 UP BOUND     c135      1
 UP BOUND     c136      1
 UP BOUND     c137      1
 UP BOUND     c138      1
 UP BOUND     c139      1
 UP BOUND     c140      1
 UP BOUND     c141      1
 UP BOUND     c142      1
 UP BOUND     c143      1
 UP BOUND     c144      1
 UP BOUND     c145      1
 UP BOUND     c146      1
 UP BOUND     c147      1
 UP BOUND     c148      1
 UP BOUND     c149      1
 UP BOUND     c150      1
 UP BOUND     c151      1
 UP BOUND     c152      1
 UP BOUND     c153      1
 UP BOUND     c154      1
 UP BOUND     c155      1
 UP BOUND     c156      1
 UP BOUND     c157      1
 UP BOUND     c158      1
 UP BOUND     c159      1
 UP BOUND     c160      1
 BV BOUND     c161    
 BV BOUND     c162    
 BV BOUND     c163    
 BV BOUND     c164    
 BV BOUND     c165    
 BV BOUND     c166    
 BV BOUND     c167    
 BV BOUND     c168    
 BV BOUND     c169    
 BV BOUND     c170    
 BV BOUND     c171    
 BV BOUND     c172    
 BV BOUND     c173    
 BV BOUND     c174    
 BV BOUND     c175    
 BV BOUND     c176    
 BV BOUND     c177    
 BV BOUND     c178    
 BV BOUND     c179    
 BV BOUND     c180    
 BV BOUND     c181    
 BV BOUND     c182    
 BV BOUND     c183    
 BV BOUND     c184    
 BV BOUND     c185    
 BV BOUND     c186    
 BV BOUND     c187    
 BV BOUND     c188    
 BV BOUND     c189    
 BV BOUND     c190    
 BV BOUND     c191    
 BV BOUND     c192    
 BV BOUND     c193    
 BV BOUND     c194    
 BV BOUND     c195    
 BV BOUND     c196    
 BV BOUND     c197    
 BV BOUND     c198    
 BV BOUND     c199    
 BV BOUND     c200    
 BV BOUND     c201    
 BV BOUND     c202    
 BV BOUND     c203    
 BV BOUND     c204    
 BV BOUND     c205    
 BV BOUND     c206    
 BV BOUND     c207    
 BV BOUND     c208    
 BV BOUND     c209    
 BV BOUND     c210    
 BV BOUND     c211    
 BV BOUND     c212    
 BV BOUND     c213    
 BV BOUND     c214    
 BV BOUND     c215    
ENDATA
